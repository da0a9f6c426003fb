import type { AuditEntry, AuditExport } from '@postrider/contract/console';
import { type Command, InvalidArgumentError } from 'commander';
import type { WorkspaceCheck } from './audit-commands.ts';
import type { RunCommand } from './commands.ts';
import { describeCheck, describeEntry } from './describe-audit.ts';
import { type Printing, printJson, printLine, type Terminal } from './terminal.ts';

const listedMax = 1_000;
const ofWorkspace = ['--workspace <name>', 'by default the first workspace'] as const;

/** Adds the verbs about the audit logs of workspaces. */
export function registerAudit(audit: Command, terminal: Terminal): void {
  audit
    .command('list')
    .description('show what people, keys, operators and the server changed, newest first')
    .option(...ofWorkspace)
    .option('--action <action>', 'only this action, such as webhook.changed')
    .option('--limit <number>', 'how many entries', readLimit, 50)
    .action(({ json, ...input }: Printing & { workspace?: string; action?: string; limit: number }) =>
      terminal.withCommands(async (run) => {
        const entries = (await run('audit list', input)) as AuditEntry[];
        if (json) await printJson(terminal, entries);
        else for (const entry of entries) await printLine(terminal, describeEntry(entry));
      }),
    );
  audit
    .command('verify')
    .description('check that no entry was changed, removed or inserted; exit code 1 where one was')
    .option('--workspace <name>', 'by default all workspaces')
    .option('--noted <hash>', 'a last hash that was noted before, which an entry must still have')
    .action(({ json, ...input }: Printing & { workspace?: string; noted?: string }) =>
      terminal.withCommands(async (run) => {
        const checks = (await run('audit verify', input)) as WorkspaceCheck[];
        if (json) await printJson(terminal, checks);
        else for (const check of checks) await printLine(terminal, describeCheck(check));
        if (checks.some(({ intact }) => !intact)) terminal.fail();
      }),
    );
  audit
    .command('export')
    .description('print all entries, oldest first, one JSON object a line')
    .option(...ofWorkspace)
    .action(({ workspace }: { workspace?: string }) =>
      terminal.withCommands((run) => exportEntries(run, workspace, terminal)),
    );
}

/** Prints the lines of an export, a page at a time, and says at the end which hash to note. */
async function exportEntries(
  run: RunCommand,
  workspace: string | undefined,
  terminal: Terminal,
): Promise<void> {
  let last: AuditEntry | undefined;
  for (let after: number | null = 0; after !== null; ) {
    const page: AuditExport = (await run('audit export', {
      after,
      ...(workspace && { workspace }),
    })) as AuditExport;
    if (page.entries.length > 0)
      await terminal.write(page.entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    last = page.entries.at(-1) ?? last;
    after = page.next_after;
  }
  const end = last ? `Entry ${last.seq}, the last one, has the hash ${last.hash}` : 'There is no entry yet.';
  await printLine(terminal, end, 'err');
}

function readLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > listedMax)
    throw new InvalidArgumentError(`A number from 1 to ${listedMax} is expected.`);
  return limit;
}
