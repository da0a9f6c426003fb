import type { Message } from '@postrider/contract';
import type { Approval, Correspondent } from '@postrider/contract/console';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { BatchContext } from '../db/batched.ts';
import { acrossWorkspaces, type RowsContext, scoped } from '../db/scoped.ts';
import { isApiError } from '../lib/api-error.ts';
import { sha256 } from '../lib/crypto/primitives.ts';
import { domainOf } from '../lib/email-address.ts';
import { markDirections } from '../lib/texts.ts';
import { isOwnField } from '../mail/compose/header-fields.ts';
import { allValues, readHeaderFields } from '../mail/parse/read-header-fields.ts';
import { readHeaderText, readMailboxes } from '../mail/parse/read-mailboxes.ts';
import { viewMessage } from '../messages/message.view.ts';
import { type MessageDetails, readMessage } from '../messages/message-details.ts';
import { linkToRaw, parseFiles, readRaw } from '../messages/originals.ts';
import type { MessageRow } from '../messages/store/message-record.ts';
import { getSummary } from './list-approvals.ts';

const headerValueCharactersMax = 4_000;
/** For the mail from or to an address, the newest and the oldest messages are read, as in `sending_counts`. */
const lookedAt = 200;

/**
 * Returns everything that people see before they decide on a message: exactly what would be sent, to whom, the original message of a reply,
 * and what is proven about its recipients.
 *
 * @throws ApiError `not_found`, also for a message that needed no approval.
 */
export function readApproval(ctx: Context, messageId: string): Promise<Approval> {
  return ctx.readLimiter.run(ctx.workspaceId, () => read(ctx, messageId));
}

async function read(ctx: Context, messageId: string): Promise<Approval> {
  const summary = await getSummary(ctx, messageId);
  const details = await readMessage(ctx, messageId);
  const { row, recipients } = details;
  const bytes = await readRaw(ctx, row);
  const [raw, answered, files] = await Promise.all([
    linkToRaw(ctx, messageId),
    findAnswered(ctx, details),
    row.has_attachments ? parseFiles(ctx, bytes, row.inbox_id) : [],
  ]);
  const addresses = recipients.map(({ address }) => address);
  return {
    ...summary,
    message: withMarks(viewMessage(ctx, details, 'whole')),
    raw,
    headers: readHeaders(bytes),
    attachment_hashes: files.map(({ content }) => sha256(content).toString('hex')),
    answers: answered && withMarks(viewMessage(ctx, answered, 'cut')),
    correspondents: await findCorrespondents(ctx, row, addresses, {
      raw: bytes,
      answered: answered?.row ?? null,
    }),
  };
}

function withMarks(message: Message): Message {
  const { subject, from_name } = message;
  return {
    ...message,
    subject: markDirections(subject),
    from_name: from_name === null ? null : markDirections(from_name),
  };
}

/** Returns the header fields of a mail with encoded words decoded, each on one line. */
export function readHeaders(raw: Buffer): Approval['headers'] {
  return readHeaderFields(raw).map(({ name, value }) => ({
    name,
    value: markDirections(readHeaderText(value, headerValueCharactersMax)),
    is_added: !isOwnField(name),
  }));
}

/** Returns the message of the inbox that a message names in In-Reply-To; null if there is none. */
export async function findAnswered(
  ctx: RowsContext & BatchContext,
  { row }: MessageDetails,
): Promise<MessageDetails | null> {
  if (row.in_reply_to === null) return null;
  const named = await scoped(ctx)
    .selectFrom('message_ids')
    .select('message_id')
    .where('inbox_id', '=', row.inbox_id)
    .where('hash', '=', sha256(row.in_reply_to))
    .orderBy('message_id')
    .limit(1)
    .executeTakeFirst();
  if (!named) return null;
  return readMessage(ctx, named.message_id).catch((error: unknown) => {
    if (isApiError(error, 'not_found')) return null;
    throw error;
  });
}

interface KnownAddress {
  address: string;
  wrote: boolean;
  proven: boolean;
  last_wrote_at: Date | null;
  proven_at: Date | null;
  was_sent: boolean;
}

/**
 * Returns what the inbox of a message knows about each of its recipients from other mail: whether they wrote before and whether that is
 * proven. `raw` has the names in the message, and `answered` is the message that it replies to.
 */
export async function findCorrespondents(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  message: Pick<MessageRow, 'id' | 'inbox_id'>,
  addresses: string[],
  { raw, answered }: { raw: Buffer; answered: MessageRow | null },
): Promise<Correspondent[]> {
  const found = await lookUpAddresses(ctx, message, addresses);
  const names = namesIn(raw);
  return found.map(({ address, wrote, proven, last_wrote_at, proven_at, was_sent }) => ({
    address,
    name: names.get(address.toLowerCase()) ?? null,
    wrote_before: wrote,
    proven,
    verified_domain: proven ? domainOf(address) : null,
    last_wrote_at: last_wrote_at?.toISOString() ?? null,
    proven_at: proven_at?.toISOString() ?? null,
    is_new: !wrote && !was_sent,
    reply_to_of: answered && isByReplyTo(answered, address) ? answered.from_addr : null,
  }));
}

function namesIn(raw: Buffer): Map<string, string> {
  const fields = readHeaderFields(raw);
  const mailboxes = readMailboxes([...allValues(fields, 'to'), ...allValues(fields, 'cc')]);
  return new Map(
    mailboxes.flatMap(({ name, address }) =>
      name === null ? [] : [[address.toLowerCase(), markDirections(name)]],
    ),
  );
}

function isByReplyTo({ direction, from_addr, reply_to_addrs }: MessageRow, address: string): boolean {
  const named = (addresses: string[]) => addresses.some((one) => one.toLowerCase() === address.toLowerCase());
  return direction === 'inbound' && named(reply_to_addrs) && !named([from_addr]);
}

async function lookUpAddresses(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { id, inbox_id }: Pick<MessageRow, 'id' | 'inbox_id'>,
  addresses: string[],
): Promise<KnownAddress[]> {
  const ws = ctx.workspaceId;
  const terms = (prefix: 'from' | 'to') => sql`(
      (select t.message_id from message_terms t where t.workspace_id = ${ws} and t.term = ${`${prefix}:`} || lower(a)
        order by t.message_id desc limit ${lookedAt})
      union
      (select t.message_id from message_terms t where t.workspace_id = ${ws} and t.term = ${`${prefix}:`} || lower(a)
        order by t.message_id limit ${lookedAt})) t`;
  const { rows } = await sql<KnownAddress>`
    select a as address, coalesce(w.wrote, false) as wrote, coalesce(w.proven, false) as proven, w.last_wrote_at, w.proven_at,
      exists (select from ${terms('to')},
        lateral (select r.status from message_recipients r where r.workspace_id = ${ws} and r.message_id = t.message_id
          and r.inbox_id = ${inbox_id} and lower(r.address) = lower(a) offset 0) r
        where t.message_id <> ${id} and r.status not in ('held', 'rejected')) as was_sent
    from unnest(${addresses}::text[]) with ordinality asked(a, n), lateral (
      select bool_or(true) as wrote, bool_or(is_proven) as proven, max(m.created_at) as last_wrote_at,
        max(m.created_at) filter (where is_proven) as proven_at
      from ${terms('from')},
      lateral (select m.id, m.created_at, is_proven_for(m.authentication, a) as is_proven
        from messages m where m.workspace_id = ${ws} and m.id = t.message_id and m.inbox_id = ${inbox_id}
        and m.direction = 'inbound' offset 0) m) w
    order by n`.execute(acrossWorkspaces(ctx, 'every part names the workspace'));
  return rows;
}
