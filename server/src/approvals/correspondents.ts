import type { Correspondent } from '@postrider/contract/console';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { domainOf } from '../lib/email-address.ts';
import { markDirections } from '../lib/texts.ts';
import { allValues, readHeaderFields } from '../mail/parse/read-header-fields.ts';
import { readMailboxes } from '../mail/parse/read-mailboxes.ts';
import type { MessageRow } from '../messages/store/message-record.ts';

/** Of the mail from or to an address, the newest and the oldest messages are looked at, as `sending_counts` does. */
const lookedAt = 200;

interface Found {
  address: string;
  wrote: boolean;
  proven: boolean;
  last_wrote_at: Date | null;
  proven_at: Date | null;
  was_sent: boolean;
}

/**
 * Returns what the inbox of a message knows about each of its recipients from other mail: whether they wrote before and whether that is
 * proven. `raw` has the names that it gives them, and `answered` is the message that it replies to.
 */
export async function correspondentsOf(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  message: Pick<MessageRow, 'id' | 'inbox_id'>,
  addresses: string[],
  { raw, answered }: { raw: Buffer; answered: MessageRow | null },
): Promise<Correspondent[]> {
  const found = await lookUp(ctx, message, addresses);
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

async function lookUp(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { id, inbox_id }: Pick<MessageRow, 'id' | 'inbox_id'>,
  addresses: string[],
): Promise<Found[]> {
  const ws = ctx.workspaceId;
  const terms = (prefix: 'from' | 'to') => sql`(
      (select t.message_id from message_terms t where t.workspace_id = ${ws} and t.term = ${`${prefix}:`} || lower(a)
        order by t.message_id desc limit ${lookedAt})
      union
      (select t.message_id from message_terms t where t.workspace_id = ${ws} and t.term = ${`${prefix}:`} || lower(a)
        order by t.message_id limit ${lookedAt})) t`;
  const { rows } = await sql<Found>`
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
