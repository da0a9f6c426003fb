/*
 * Mail to people about held messages. What is held within a few seconds is one mail, and a workspace sends each person one in five minutes.
 * `notified_at` is set in the transaction that queues the mails, so a crash leaves both or neither.
 */

import { sql } from 'kysely';
import { inTransaction } from '../db/connections.ts';
import { lock } from '../db/locks.ts';
import { acrossWorkspaces, type RowsContext, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { deletedThreads } from '../messages/find-message.ts';
import { approvalReaders, type Reader } from '../people/members.ts';
import { readTitle } from '../people/workspace-title.ts';
import { type HeldMail, pageLink, queueMail } from '../people-mail/queue-people-mail.ts';
import { approvalToken } from './approval-link.ts';

/** How long the first held message waits for others that go into the same mail. */
export const gatherMs = 10_000;
/** How often a workspace notifies each person. */
export const mailEveryMs = 5 * 60_000;
const messagesPerMailMax = 20;

type AnnounceDeps = Pick<
  Deps,
  'db' | 'clock' | 'timeScale' | 'wakeups' | 'keys' | 'queue' | 'transport' | 'address'
>;

/**
 * Has mail sent about messages that are held and that nobody was told about. A process that does not know the URL of the console cannot.
 */
export async function announceHeld(deps: AnnounceDeps): Promise<void> {
  if (deps.address.publicUrl === '') return;
  const { rows } = await sql<{ workspace_id: string }>`select distinct workspace_id from approvals a
    where state = 'held' and notified_at is null and held_at <= ${deps.timeScale.before(deps.clock.now(), gatherMs)}
      and not exists (select from approvals b where b.workspace_id = a.workspace_id
        and b.notified_at > ${deps.timeScale.before(deps.clock.now(), mailEveryMs)})`.execute(
    acrossWorkspaces(deps, 'messages are held in all workspaces'),
  );
  for (const { workspace_id: workspaceId } of rows)
    await announceIn({ ...deps, workspaceId, scope: wholeWorkspace });
}

/** Tells the people of a workspace about all held messages that they were not told about. */
function announceIn(ctx: Tx): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    await lock(tx, 'announce', tx.workspaceId);
    if (await hasLately(tx)) return;
    const held = await selectUnannounced(tx);
    const count = await countUnannounced(tx);
    await scoped(tx)
      .updateTable('approvals')
      .set({ notified_at: tx.clock.now() })
      .where('state', '=', 'held')
      .where('notified_at', 'is', null)
      .execute();
    if (held.length === 0) return;
    const workspace = await readTitle(tx, tx.workspaceId);
    for (const reader of await approvalReaders(tx)) {
      const messages = held.map((row) => describeHeld(tx, row, reader));
      const more = count - messages.length;
      await queueMail(tx, { kind: 'approvals', email: reader.email, workspace, messages, more });
    }
  });
}

type Tx = AnnounceDeps & RowsContext;

/** Returns whether another process has notified them while this one waited for the lock. */
async function hasLately(tx: Tx): Promise<boolean> {
  const since = tx.timeScale.before(tx.clock.now(), mailEveryMs);
  const one = await scoped(tx)
    .selectFrom('approvals')
    .select('message_id')
    .where('notified_at', '>', since)
    .limit(1)
    .executeTakeFirst();
  return one !== undefined;
}

/** Returns those that a mail shows, the oldest first. An agent may have had thousands held within seconds. */
function selectUnannounced(tx: Tx) {
  return unannounced(tx)
    .select(['approvals.workspace_id', 'approvals.message_id', 'content_hash', 'approvals.expires_at'])
    .select(['from_addr', 'to_addrs', 'cc_addrs', 'bcc_addrs', 'subject', 'snippet'])
    .orderBy('approvals.message_id')
    .limit(messagesPerMailMax)
    .execute();
}

async function countUnannounced(tx: Tx): Promise<number> {
  const counted = unannounced(tx).select(({ fn }) => fn.countAll<number>().as('count'));
  return (await counted.executeTakeFirstOrThrow()).count;
}

function unannounced(tx: Tx) {
  return scoped(tx)
    .selectFrom('approvals')
    .innerJoin('messages', (on) =>
      on
        .onRef('messages.workspace_id', '=', 'approvals.workspace_id')
        .onRef('messages.id', '=', 'approvals.message_id'),
    )
    .innerJoin('inboxes', (on) =>
      on
        .onRef('inboxes.workspace_id', '=', 'approvals.workspace_id')
        .onRef('inboxes.id', '=', 'approvals.inbox_id'),
    )
    .where('state', '=', 'held')
    .where('notified_at', 'is', null)
    .where('inboxes.deleted_at', 'is', null)
    .where('messages.thread_id', 'not in', deletedThreads(tx));
}

type Unannounced = Awaited<ReturnType<typeof selectUnannounced>>[number];

function describeHeld(tx: Tx, row: Unannounced, { personId }: Reader): HeldMail {
  return {
    from: row.from_addr,
    to: [...row.to_addrs, ...row.cc_addrs, ...row.bcc_addrs],
    subject: row.subject,
    text: row.snippet,
    link: pageLink(tx, 'approve', approvalToken(tx.keys, { ...row, personId })),
  };
}
