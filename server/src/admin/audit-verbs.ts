import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AuditEntry, AuditExport } from '@postrider/contract/console';
import { type Command, InvalidArgumentError } from 'commander';
import type { WorkspaceCheck } from './audit-commands.ts';
import type { RunCommand } from './commands.ts';
import { describeCheck, describeEntry } from './describe-audit.ts';
import { withCommands } from './run-command.ts';

const listedMax = 1_000;
const ofWorkspace = ['--workspace <name>', 'by default the first workspace'] as const;

/** Adds the verbs about the audit logs of workspaces. */
export function registerAudit(audit: Command): void {
  audit
    .command('list')
    .description('show what people, keys, operators and the server changed, newest first')
    .option(...ofWorkspace)
    .option('--action <action>', 'only this action, such as webhook.changed')
    .option('--limit <number>', 'how many entries', readLimit, 50)
    .option('--json', 'print the entries as JSON', false)
    .action(({ json, ...input }: { json: boolean; workspace?: string; action?: string; limit: number }) =>
      withCommands(async (run) => {
        const entries = (await run('audit list', input)) as AuditEntry[];
        if (json) console.log(JSON.stringify(entries, null, 2));
        else for (const entry of entries) console.log(describeEntry(entry));
      }),
    );
  audit
    .command('verify')
    .description('check that no entry was changed, removed or inserted; exit code 1 where one was')
    .option('--workspace <name>', 'by default all workspaces')
    .option('--noted <hash>', 'a last hash that was noted before, which an entry must still have')
    .action((input: { workspace?: string; noted?: string }) =>
      withCommands(async (run) => {
        const checks = (await run('audit verify', input)) as WorkspaceCheck[];
        for (const check of checks) console.log(describeCheck(check));
        if (checks.some(({ intact }) => !intact)) process.exitCode = 1;
      }),
    );
  audit
    .command('export')
    .description('print all entries, oldest first, one JSON object a line')
    .option(...ofWorkspace)
    .action(({ workspace }: { workspace?: string }) =>
      withCommands(async (run) => {
        await pipeline(Readable.from(exportedLines(run, workspace)), process.stdout, { end: false }).catch(
          ignoreClosedPipe,
        );
      }),
    );
}

/** Returns the lines of an export, a page at a time, and says at the end which hash to note. */
async function* exportedLines(run: RunCommand, workspace: string | undefined): AsyncGenerator<string> {
  let last: AuditEntry | undefined;
  for (let after: number | null = 0; after !== null; ) {
    const page: AuditExport = (await run('audit export', {
      after,
      ...(workspace && { workspace }),
    })) as AuditExport;
    if (page.entries.length > 0) yield page.entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    last = page.entries.at(-1) ?? last;
    after = page.next_after;
  }
  console.error(
    last ? `Entry ${last.seq}, the last one, has the hash ${last.hash}` : 'There is no entry yet.',
  );
}

/** A reader such as `head` may have enough before the end. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function readLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > listedMax)
    throw new InvalidArgumentError(`A number from 1 to ${listedMax} is expected.`);
  return limit;
}
