import { ApprovalState, type ApprovalSummary, type DecisionResult } from '@postrider/contract/console';
import { Argument, type Command, Option } from 'commander';
import type { Decided } from '../approvals/approval.ts';
import { decideApprovals, type ShownMessage } from '../approvals/decide-approvals.ts';
import { getSummary, listApprovals } from '../approvals/list-approvals.ts';
import { operator } from '../audit/append-audit.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { isApiError } from '../lib/api-error.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { getWorkspace, listWorkspaces } from '../workspaces/manage-workspaces.ts';
import {
  type AdminDeps,
  type Printing,
  printJson,
  printLine,
  runAndPrint,
  type Terminal,
} from './command.ts';
import { describeApproval, type HeldMessage, readHeld } from './describe-approval.ts';

/** The most approvals of a workspace that are listed, the newest. */
const listedMax = 100;
/** A decision must name at least this much of a hash, so that it applies to what was shown. */
const hashCharactersMin = 12;

/** The commands by which operators decide about held messages. */
export const approvalsCommands = {
  'approvals list': async (
    deps: AdminDeps,
    { workspace, state }: { workspace?: string; state?: ApprovalState },
  ): Promise<(ApprovalSummary & { workspace: string })[]> => {
    const workspaces =
      workspace === undefined ? await listWorkspaces(deps) : [await getWorkspace(deps, workspace)];
    const pages = workspaces.map(async ({ id, name }) => {
      const ctx = { ...deps, workspaceId: id, scope: wholeWorkspace };
      const { rows } = await listApprovals(ctx, { limit: listedMax, state: state ?? 'held' });
      return rows.map((row) => ({ workspace: name, ...row }));
    });
    return (await Promise.all(pages)).flat();
  },
  'approvals show': async (deps: AdminDeps, { id }: { id: string }): Promise<string> =>
    describeApproval(await readPlaced(deps, id)),
  'approvals read': (deps: AdminDeps, { id }: { id: string }): Promise<HeldMessage> => readPlaced(deps, id),
  'approvals approve': (deps: AdminDeps, { ids, hashes = [] }: { ids: string[]; hashes?: string[] }) => {
    if (hashes.length !== ids.length)
      throw new Error(
        'Give the hash of each message, as "approvals show <id>" prints it, in the order of the ids.',
      );
    const short = hashes.find((hash) => !/^[0-9a-f]{12,64}$/i.test(hash));
    if (short !== undefined)
      throw new Error(
        `${short} is not the beginning of a hash, with at least ${hashCharactersMin} characters.`,
      );
    return decideEach(deps, ids, { decision: 'approve', reason: null }, hashes);
  },
  'approvals refuse': (deps: AdminDeps, { ids, reason }: { ids: string[]; reason?: string }) =>
    decideEach(deps, ids, { decision: 'refuse', reason: reason?.trim() || null }),
};

/** Decides on messages, in the workspace of each. A hash can be a prefix; without hashes, the decision applies to the current content. */
function decideEach(
  deps: AdminDeps,
  ids: string[],
  decision: Pick<Decided, 'decision' | 'reason'>,
  hashes: string[] = [],
): Promise<DecisionResult[]> {
  return withParts(deps, async (parts) => {
    const results: DecisionResult[] = [];
    for (const [position, id] of ids.entries()) {
      const place = await findPlace(deps, id);
      const ctx = place && { ...parts, ...place };
      const summary = ctx && (await findSummary(ctx, id));
      if (!summary) {
        results.push({ message_id: id, problem: 'not_found', state: null, left_out: [] });
        continue;
      }
      const { content_hash } = summary;
      const given = hashes[position]?.toLowerCase() ?? content_hash;
      // A wrong prefix is compared unchanged, and then nothing is decided.
      const hash = content_hash.startsWith(given) ? content_hash : given.padEnd(content_hash.length, '0');
      const shown: ShownMessage = { message_id: id, content_hash: hash };
      results.push(
        ...(await decideApprovals(ctx, [shown], { ...decision, actor: operator, by: 'command line' })),
      );
    }
    return results;
  });
}

async function withParts<T>(
  deps: AdminDeps,
  work: (parts: AdminDeps & Awaited<ReturnType<AdminDeps['openMailParts']>>) => Promise<T>,
): Promise<T> {
  const parts = await deps.openMailParts();
  try {
    return await work({ ...deps, ...parts });
  } finally {
    await parts.close();
  }
}

/** Returns null for a message that was deleted, or whose inbox was. */
async function findSummary(...asked: Parameters<typeof getSummary>): Promise<ApprovalSummary | null> {
  try {
    return await getSummary(...asked);
  } catch (error) {
    if (isApiError(error, 'not_found')) return null;
    throw error;
  }
}

function readPlaced(deps: AdminDeps, id: string): Promise<HeldMessage> {
  return withParts(deps, async (parts) => readHeld({ ...parts, ...(await getPlace(deps, id)) }, id));
}

async function getPlace(deps: AdminDeps, id: string) {
  const place = await findPlace(deps, id);
  if (!place) throw new Error(`No message ${id} is or was held for approval. "approvals list" shows them.`);
  return place;
}

async function findPlace(deps: AdminDeps, id: string) {
  const row = await acrossWorkspaces(deps, 'an operator sees all approvals')
    .selectFrom('approvals')
    .innerJoin('workspaces', 'workspaces.id', 'approvals.workspace_id')
    .select(['workspace_id', 'is_test'])
    .where('message_id', '=', id)
    .executeTakeFirst();
  return row && { workspaceId: row.workspace_id, isTest: row.is_test, scope: wholeWorkspace };
}

const ids = () => new Argument('<id...>', 'the ids of the messages');

/** Adds the verbs by which operators decide about held messages. */
export function registerApprovals(approvals: Command, terminal: Terminal): void {
  approvals
    .command('list')
    .description('show the messages that are waiting for approval, newest first')
    .option('--workspace <name>', 'by default, all workspaces')
    .addOption(
      new Option('--state <state>', 'only messages in this state')
        .choices(ApprovalState.options)
        .default('held'),
    )
    .action(({ json, ...input }: Printing & { workspace?: string; state?: ApprovalState }) =>
      terminal.withDeps(async (deps) => {
        const rows = await approvalsCommands['approvals list'](deps, input);
        if (json) await printJson(terminal, rows);
        else for (const row of rows) await printLine(terminal, describeRow(row));
      }),
    );
  approvals
    .command('show <id>')
    .description('show a message with its headers, texts, attachments, recipients and hash')
    .action((id: string, { json = false }: Printing) =>
      runAndPrint<{ id: string }>(
        terminal,
        json ? approvalsCommands['approvals read'] : approvalsCommands['approvals show'],
        { id },
      ),
    );
  approvals
    .command('approve')
    .description('send messages exactly as they were shown')
    .addArgument(ids())
    .requiredOption(
      '--hash <hash...>',
      'at least the first 12 characters of the hash of each message, as "show" prints it',
    )
    .action((given: string[], { hash }: { hash: string[] }) =>
      decide(terminal, (deps) => approvalsCommands['approvals approve'](deps, { ids: given, hashes: hash })),
    );
  approvals
    .command('refuse')
    .description('refuse messages, with a reason for the agent')
    .addArgument(ids())
    .requiredOption('--reason <text>', 'the reason that the agent reads')
    .action((given: string[], { reason }: { reason: string }) =>
      decide(terminal, (deps) => approvalsCommands['approvals refuse'](deps, { ids: given, reason })),
    );
}

/** Prints the results of a decision; the exit code is 1 if one does not count. */
function decide(terminal: Terminal, work: (deps: AdminDeps) => Promise<DecisionResult[]>): Promise<void> {
  return terminal.withDeps(async (deps) => {
    const results = await work(deps);
    await printJson(terminal, results);
    if (results.some(({ problem }) => problem !== null)) terminal.fail();
  });
}

function describeRow(row: ApprovalSummary & { workspace: string }): string {
  const { message_id, held_at, inbox_address, to, cc, bcc, subject } = row;
  const others = to.length + cc.length + bcc.length - 1;
  const recipients = `${[...to, ...cc, ...bcc][0]}${others > 0 ? ` and ${others} more` : ''}`;
  const line = [message_id, held_at, row.workspace, `${inbox_address} to ${recipients}`, subject].join('  ');
  return line.replaceAll(/\p{C}/gu, '');
}
