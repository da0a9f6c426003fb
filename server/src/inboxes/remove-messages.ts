import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';

/** The parts of a context that removing messages takes. */
export type RemoveContext = Pick<Context, 'db' | 'workspaceId' | 'scope' | 'clock'>;

const ofMessages = [
  'search_pending',
  'unparsed_messages',
  'originals',
  'approvals',
  'message_recipients',
  'attachments',
  'attachment_texts',
  'message_labels',
] as const;

/**
 * Removes messages with their rows. Recipients are removed before messages, so that an outcome recorded meanwhile either has its message or
 * finds its recipient removed. Events stay without their message, because a reader's position in the log is the id of an event. Entries of
 * `client_id`s also stay, so the ids remain taken. Approvals are removed before recipients, because decisions lock them in this order.
 */
export async function removeMessages(tx: RemoveContext, ids: string[]): Promise<void> {
  const rows = scoped(tx);
  await lockMessages(tx, ids);
  await sql`delete from message_terms t using messages m, lateral unnest(m.terms) named(term)
    where m.workspace_id = ${tx.workspaceId} and m.id = any(${ids})
    and t.workspace_id = m.workspace_id and t.term = named.term and t.message_id = m.id`.execute(tx.db);
  await giveBackMail(tx, ids);
  for (const table of ofMessages) await rows.deleteFrom(table).where('message_id', 'in', ids).execute();
  await leaveIndex(tx, ids);
  await rows.deleteFrom('messages').where('id', 'in', ids).execute();
  await removeVectors(tx, ids);
}

/**
 * Removes what waits to be embedded, and then the vectors. It comes after the messages: older messages are locked while they begin to wait,
 * so whichever comes first is seen by the other. Rows are locked in the order of their keys, as by the process that embeds.
 */
async function removeVectors(tx: RemoveContext, ids: string[]): Promise<void> {
  const rows = scoped(tx);
  const waiting = rows
    .selectFrom('embedding_pending')
    .select(sql<string>`ctid`.as('place'))
    .where('message_id', 'in', ids)
    .orderBy('message_id')
    .forUpdate();
  await rows.deleteFrom('embedding_pending').where(sql`ctid`, '=', sql`any(array(${waiting}))`).execute();
  for (const table of ['search_codes', 'search_vectors'] as const)
    await rows.deleteFrom(table).where('message_id', 'in', ids).execute();
}

/** Prevents messages from being indexed until they are removed. Otherwise a message could enter the index after it was taken out. */
async function lockMessages(tx: RemoveContext, ids: string[]): Promise<void> {
  await scoped(tx)
    .selectFrom('messages')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Takes messages out of the search index, and leaves their words to the indexer, which corrects the vocabulary. */
async function leaveIndex(tx: RemoveContext, ids: string[]): Promise<void> {
  await sql`with gone as (
      delete from search_messages where workspace_id = ${tx.workspaceId} and message_id = any(${ids}) returning workspace_id, words)
    insert into search_gone (workspace_id, words) select workspace_id, strip(words) from gone`.execute(tx.db);
}

/** Subtracts messages that are about to be removed from the usage. */
async function giveBackMail(tx: RemoveContext, ids: string[]): Promise<void> {
  await sql`insert into usage_ledger (workspace_id, kind, amount, at)
    select ${tx.workspaceId}, 'mail_bytes', -sum(mail_bytes(size_bytes, body_text, body_html, extracted_text)), ${tx.clock.now()}
    from messages where workspace_id = ${tx.workspaceId} and id = any(${ids})`.execute(tx.db);
}
