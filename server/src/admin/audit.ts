import type { AuditBreak, AuditCheck, AuditEntry, AuditExport } from '@postrider/contract/console';
import { type Command, InvalidArgumentError } from 'commander';
import { exportPage, listAudit } from '../audit/read-entries.ts';
import { hasHash, verifyAudit } from '../audit/verify-audit.ts';
import { findLogged, listWorkspaces } from '../workspaces/manage-workspaces.ts';
import { type AdminDeps, type Printing, printJson, printLine, type Terminal } from './command.ts';
import { byDefault, findNamed } from './named-workspace.ts';

/** The result for one workspace. */
type WorkspaceCheck = AuditCheck & { workspace: string };

/** The commands about the audit logs of workspaces. None of them changes a log. */
export const auditCommands = {
  'audit list': async (
    deps: AdminDeps,
    { workspace, limit, action }: { workspace?: string; limit: number; action?: string },
  ): Promise<AuditEntry[]> => (await listAudit(await openContext(deps, workspace), { limit, action })).rows,
  'audit verify': async (
    deps: AdminDeps,
    { workspace, noted }: { workspace?: string; noted?: string },
  ): Promise<WorkspaceCheck[]> => {
    const workspaces =
      workspace === undefined ? await listWorkspaces(deps) : [await findLogged(deps, workspace)];
    const checks: WorkspaceCheck[] = [];
    let isFound = noted === undefined;
    for (const { id: workspaceId, name, deleted_at } of workspaces) {
      const ctx = { ...deps, workspaceId };
      checks.push({
        workspace: deleted_at ? `${name} (deleted, ${workspaceId})` : name,
        ...(await verifyAudit(ctx)),
      });
      isFound ||= await hasHash(ctx, noted ?? '');
    }
    if (isFound) return checks;
    throw new Error(
      `No entry has the hash ${noted}. The entry is older than a year, or it was removed or replaced together with all later entries.`,
    );
  },
  'audit export': async (deps: AdminDeps, { workspace, after }: { workspace?: string; after: number }) =>
    exportPage(await openContext(deps, workspace), after),
};

async function openContext(deps: AdminDeps, workspace: string | undefined) {
  const { id } = workspace === undefined ? await findNamed(deps) : await findLogged(deps, workspace);
  return { ...deps, workspaceId: id };
}

const listedMax = 1_000;
const ofWorkspace = ['--workspace <name>', `${byDefault}; name a deleted workspace by its id`] as const;

/** Adds the verbs about the audit logs of workspaces. */
export function registerAudit(audit: Command, terminal: Terminal): void {
  audit
    .command('list')
    .description('show the changes that people, keys, operators and the server made, newest first')
    .option(...ofWorkspace)
    .option('--action <action>', 'only this action, such as webhook.changed')
    .option('--limit <number>', 'the number of entries', readLimit, 50)
    .action(({ json, ...input }: Printing & { workspace?: string; action?: string; limit: number }) =>
      terminal.withDeps(async (deps) => {
        const entries = await auditCommands['audit list'](deps, input);
        if (json) await printJson(terminal, entries);
        else for (const entry of entries) await printLine(terminal, describeEntry(entry));
      }),
    );
  audit
    .command('verify')
    .description('check that no entry was changed, removed or inserted; exits with 1 if one was')
    .option('--workspace <name>', 'by default, all workspaces')
    .option('--noted <hash>', 'a last hash that you noted earlier; one entry must still have it')
    .action(({ json, ...input }: Printing & { workspace?: string; noted?: string }) =>
      terminal.withDeps(async (deps) => {
        const checks = await auditCommands['audit verify'](deps, input);
        if (json) await printJson(terminal, checks);
        else for (const check of checks) await printLine(terminal, describeCheck(check));
        if (checks.some(({ intact }) => !intact)) terminal.fail();
      }),
    );
  audit
    .command('export')
    .description('print all entries, oldest first, one JSON object per line')
    .option(...ofWorkspace)
    .action(({ workspace }: { workspace?: string }) =>
      terminal.withDeps((deps) => exportEntries(deps, workspace, terminal)),
    );
}

/** Prints the lines of an export, a page at a time, and says at the end which hash to note. */
async function exportEntries(
  deps: AdminDeps,
  workspace: string | undefined,
  terminal: Terminal,
): Promise<void> {
  let last: AuditEntry | undefined;
  for (let after: number | null = 0; after !== null; ) {
    const page: AuditExport = await auditCommands['audit export'](deps, {
      after,
      ...(workspace && { workspace }),
    });
    if (page.entries.length > 0)
      await terminal.write(page.entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    last = page.entries.at(-1) ?? last;
    after = page.next_after;
  }
  const end = last
    ? `Entry ${last.seq}, the last one, has the hash ${last.hash}`
    : 'There are no entries yet.';
  await printLine(terminal, end, 'err');
}

function readLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > listedMax)
    throw new InvalidArgumentError(`A number from 1 to ${listedMax} is expected.`);
  return limit;
}

/** Returns an entry as one line for a terminal. Names come from people, so characters that steer a terminal are left out. */
function describeEntry({ seq, at, actor, action, target, before, after }: AuditEntry): string {
  const who = actor.name === null ? (actor.id ?? actor.kind) : `${actor.name} (${actor.kind})`;
  const values = [before, after].map((fields) => (fields === null ? '' : JSON.stringify(fields)));
  const change = values[0] && values[1] ? values.join(' → ') : values.join('');
  const line = [seq, at, who, action, target ?? '', change].filter((part) => part !== '').join('  ');
  return line.replaceAll(/\p{C}/gu, '');
}

/** Returns the result of a check as one line for a terminal. */
function describeCheck(check: WorkspaceCheck): string {
  if (!check.intact) return `${check.workspace}: broken, ${describeBreak(check)}`;
  const { workspace, count, since, last_seq, last_hash } = check;
  if (last_seq === 0) return `${workspace}: no entries yet`;
  const kept =
    since === null
      ? 'all entries were removed after a year'
      : `${count === 1 ? '1 entry' : `${count} entries`} since ${since}`;
  return `${workspace}: intact, ${kept}; entry ${last_seq}, the last one, has the hash ${last_hash}`;
}

function describeBreak({ problem, from_seq: from, to_seq: to }: AuditBreak): string {
  const missing = from === to ? `entry ${from} is missing` : `entries ${from} to ${to} are missing`;
  return {
    changed: `entry ${from} was changed`,
    unlinked: `entry ${from} does not match the entries next to it; one of them was replaced`,
    gap: missing,
    missing_beginning: `${missing} at the beginning`,
    missing_end: `${missing} at the end`,
    unexpected: `entry ${from} was inserted, or the record of the first and last entry was changed`,
  }[problem];
}
