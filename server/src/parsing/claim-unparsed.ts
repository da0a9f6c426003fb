/* The queue of messages that are still to be parsed, by leases (`lib/clock.ts`). The fence of a message is its `attempts`. */
import { sql } from 'kysely';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { leaseEnd, leaseMs } from '../lib/clock.ts';
import { nothingDue } from '../lib/concurrency/worker-loop.ts';

/** Twice as long as the parser may take, so that there is time for the checks of the sender. */
const parseLease = { ms: 120_000, leastMs: 10_000 };
/** A message that the parser did not get to is tried again after this time. */
const againAfterMs = 2_000;

type ClaimDeps = Pick<Deps, 'db' | 'clock' | 'timeScale'>;

/** A message that this process is to parse. */
export interface ClaimedMessage {
  workspace_id: string;
  message_id: string;
  remote_address: string | null;
  helo: string | null;
  attempts: number;
}

/** Returns how long the parser may take for a claimed message, so that its lease is enough. */
export function patienceMs(deps: Pick<Deps, 'timeScale'>): number {
  return leaseMs(deps, parseLease) / 2;
}

/** Claims the oldest message that is due in the next workspace after `after`, so that workspaces take turns. */
export async function claimNext(deps: ClaimDeps, after: string): Promise<ClaimedMessage | null> {
  const db = acrossWorkspaces(deps, 'mail of all workspaces is parsed');
  const claimAfter = (workspace: string) =>
    claim(
      { ...deps, db },
      sql`workspace_id > ${workspace} order by workspace_id, message_id limit 1 for update skip locked`,
    );
  return (await claimAfter(after)) ?? (after === '' ? null : claimAfter(''));
}

/** Claims one message if it is due. */
export function claimMessage(
  deps: ClaimDeps & { workspaceId: string },
  messageId: string,
): Promise<ClaimedMessage | null> {
  return claim(deps, sql`workspace_id = ${deps.workspaceId} and message_id = ${messageId} for update`);
}

async function claim(deps: ClaimDeps, wanted: ReturnType<typeof sql>): Promise<ClaimedMessage | null> {
  const now = deps.clock.now();
  const { rows } = await sql<ClaimedMessage>`
    with next as materialized (
      select workspace_id, message_id from unparsed_messages where due_at <= ${now} and ${wanted})
    update unparsed_messages u set due_at = ${leaseEnd(deps, parseLease, now)}, attempts = attempts + 1 from next
      where u.workspace_id = next.workspace_id and u.message_id = next.message_id
      returning u.workspace_id, u.message_id, u.remote_address, u.helo, u.attempts`.execute(deps.db);
  return rows[0] ?? null;
}

/** Has a claimed message tried again. If that is no fault of its mail, the attempt does not count. */
export async function putBack(
  deps: ClaimDeps,
  { workspace_id: workspaceId, message_id, attempts }: ClaimedMessage,
  { isAttempt, isDueNow = false }: { isAttempt: boolean; isDueNow?: boolean },
): Promise<void> {
  const now = deps.clock.now();
  await scoped({ db: deps.db, workspaceId })
    .updateTable('unparsed_messages')
    .set({
      due_at: isDueNow ? now : new Date(now.getTime() + againAfterMs),
      attempts: attempts - (isAttempt ? 0 : 1),
    })
    .where('message_id', '=', message_id)
    .where('attempts', '=', attempts)
    .execute();
}

/** Returns the time in ms until the next message is due, at most 0 if one is. */
export async function untilNextMs(deps: ClaimDeps): Promise<number> {
  const { at } = await acrossWorkspaces(deps, 'mail of all workspaces is parsed')
    .selectFrom('unparsed_messages')
    .select(({ fn }) => fn.min('due_at').as('at'))
    .executeTakeFirstOrThrow();
  return at ? at.getTime() - deps.clock.now().getTime() : nothingDue;
}

/** Returns whether a message is still to be parsed. */
export async function isQueued(
  { db, workspaceId }: Pick<Deps, 'db'> & { workspaceId: string },
  messageId: string,
): Promise<boolean> {
  const row = await scoped({ db, workspaceId })
    .selectFrom('unparsed_messages')
    .select('message_id')
    .where('message_id', '=', messageId)
    .executeTakeFirst();
  return row !== undefined;
}
