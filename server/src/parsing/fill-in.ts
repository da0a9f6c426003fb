import { sql } from 'kysely';
import type { Caller } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { isRefusedData } from '../db/database-errors.ts';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { recordUpdated } from '../events/write-log.ts';
import { isApiError } from '../lib/api-error.ts';
import { type LockedMessage, lockMessage } from '../messages/find-message.ts';
import { messageTerms } from '../messages/message-terms.ts';
import { bodyBytes, type MessageRecord, type MessageRow } from '../messages/store/message-record.ts';
import { embedAgain, indexAgain } from '../search/index.ts';
import type { ClaimedMessage } from './claim-unparsed.ts';

type FillContext = Deps & Pick<Caller, 'workspaceId' | 'scope'>;

/**
 * Stores everything that a mail has besides its header, with one event that names the new fields. Nothing changes if the message was
 * deleted, or parsed by another process meanwhile. Texts that the database refuses are left out, because the original has them.
 */
export async function fillIn(
  ctx: FillContext,
  claimed: ClaimedMessage,
  record: MessageRecord,
): Promise<void> {
  try {
    await settle(ctx, claimed, (tx, message) => store(tx, message, record));
  } catch (error) {
    if (!isRefusedData(error)) throw error;
    ctx.log.warn({ err: error, messageId: claimed.message_id }, 'the database refused the texts of an email');
    await giveUp(ctx, claimed);
  }
}

/** Leaves a message unchanged, with one event that names no fields. */
export function giveUp(ctx: FillContext, claimed: ClaimedMessage): Promise<void> {
  return settle(ctx, claimed, async () => []);
}

/** Takes a message out of the queue, changes it and records what changed, all together, if the claim still holds. */
async function settle(
  ctx: FillContext,
  { message_id: id, attempts }: ClaimedMessage,
  change: (tx: FillContext, message: LockedMessage) => Promise<string[]>,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const message = await lockMessage(tx, id, 'id').catch((error: unknown) => {
      if (isApiError(error, 'not_found')) return null;
      throw error;
    });
    const queue = scoped(tx).deleteFrom('unparsed_messages').where('message_id', '=', id);
    const [taken] = await queue.where('attempts', '=', attempts).execute();
    if (!message || !taken?.numDeletedRows) return;
    await recordUpdated(tx, message, await change(tx, message));
  });
  ctx.wakeups.wake(ctx.workspaceId);
}

/** Stores the fields and the files of a mail. Returns the names of the fields that are others now, as the API has them. */
async function store(tx: FillContext, locked: LockedMessage, record: MessageRecord): Promise<string[]> {
  const { id, thread_id } = locked;
  const before = await scoped(tx)
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const fields = filledFields(before, record);
  await scoped(tx).updateTable('messages').set(fields).where('id', '=', id).execute();
  await changeTerms(tx, before, record);
  await scoped(tx)
    .updateTable('threads')
    .set({
      participants: sql`(participants || array(
        select x from unnest(${record.participants}::text[]) x where x <> all(participants)))[1:100]`,
    })
    .where('id', '=', thread_id)
    .execute();
  if (record.attachments.length > 0)
    await tx.db.insertInto('attachments').values(record.attachments).execute();
  await countUsage(tx, record);
  await indexAgain(tx, [id]);
  await embedAgain(tx, id);
  return listChanged(before, fields);
}

/** Returns the columns that come from parsing. The sender was read from the header, and decided whether the mail was accepted. */
function filledFields(before: MessageRow, { message }: MessageRecord) {
  const { authentication } = message;
  return {
    to_addrs: message.to_addrs,
    cc_addrs: message.cc_addrs,
    reply_to_addrs: message.reply_to_addrs,
    subject: message.subject,
    body_text: message.body_text,
    body_html: message.body_html,
    extracted_text: message.extracted_text,
    snippet: message.snippet,
    hidden_text: message.hidden_text,
    in_reply_to: message.in_reply_to,
    reference_ids: message.reference_ids,
    // The store found out whether the mail came back to its sender.
    auto_submitted: before.auto_submitted || message.auto_submitted,
    has_attachments: message.has_attachments,
    cut_fields: message.cut_fields,
    // A check that failed at first may only prove more. Whatever else it finds later may be due to keys that were replaced meanwhile.
    authentication: authentication?.verified_domain ? authentication : before.authentication,
  };
}

type Fields = ReturnType<typeof filledFields>;

/** The columns that are shown, besides text and files, under their names in the API. */
const shownFields: [column: keyof Fields, field: string][] = [
  ['body_html', 'body_html'],
  ['extracted_text', 'extracted_text'],
  ['snippet', 'snippet'],
  ['hidden_text', 'hidden_text'],
  ['subject', 'subject'],
  ['to_addrs', 'to_addrs'],
  ['cc_addrs', 'cc_addrs'],
  ['reply_to_addrs', 'reply_to_addrs'],
  ['in_reply_to', 'in_reply_to'],
  ['reference_ids', 'references'],
  ['auto_submitted', 'auto_submitted'],
  ['authentication', 'authentication'],
];

/** Text and files always count, because until now nobody knew whether the mail has any. */
function listChanged(before: MessageRow, fields: Fields): string[] {
  const isOther = (column: keyof Fields) => JSON.stringify(before[column]) !== JSON.stringify(fields[column]);
  const others = shownFields.filter(([column]) => isOther(column)).map(([, field]) => field);
  return ['body_text', 'attachments', ...others];
}

/** Corrects the terms by which lists find a message, because of a very long field the header alone has only the beginning. */
async function changeTerms(tx: FillContext, before: MessageRow, { message }: MessageRecord): Promise<void> {
  const { workspaceId } = tx;
  const { id } = before;
  await sql`with changed as materialized (
      update messages set terms = array(select unnest(${messageTerms(message)}::text[]) union select subject_term(lexeme)
          from unnest(to_tsvector('simple', left(subject, 10000))) where length(lexeme) <= 255)
        where workspace_id = ${workspaceId} and id = ${id} returning terms),
    removed as (
      delete from message_terms t using changed where t.workspace_id = ${workspaceId} and t.message_id = ${id}
        and t.term = any(${before.terms}::text[]) and t.term <> all(changed.terms))
    insert into message_terms (workspace_id, term, message_id)
      select ${workspaceId}, term, ${id} from changed, unnest(changed.terms) term
      on conflict do nothing`.execute(tx.db);
}

/** The original was counted when it was stored. */
async function countUsage(tx: FillContext, { message, usage }: MessageRecord): Promise<void> {
  const entries = [...usage, { kind: 'mail_bytes', amount: bodyBytes(message) }];
  await sql`insert into usage_ledger (workspace_id, kind, amount, at)
    select ${tx.workspaceId}, kind, amount, ${tx.clock.now()}
    from unnest(${entries.map(({ kind }) => kind)}::text[], ${entries.map(({ amount }) => amount)}::bigint[]) u(kind, amount)
    where amount > 0`.execute(tx.db);
}
