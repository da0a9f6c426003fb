/*
 * What lists show of messages, cut in the database: a page of large mails could take gigabytes here, and a stranger decides how
 * large a mail is. A list reads small mails whole, which are nearly all. Of large ones it reads what is small first, and then as
 * many as fit into an answer, each text and list cut. How much one takes is told by sizes that the database knows without
 * unpacking anything.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '@postrider/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { anyOf, prepared } from '../db/prepared.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Messages } from './find-message.ts';
import type { MessageRow } from './store/message-record.ts';

/** The columns whose size has a small bound. The search index is in no answer. */
export const smallColumns = [
  'messages.workspace_id',
  'messages.id',
  'messages.inbox_id',
  'messages.thread_id',
  'direction',
  'from_addr',
  'from_name',
  'envelope_from',
  'subject',
  'snippet',
  'delivery_status',
  'message_id_header',
  'in_reply_to',
  'provider_message_id',
  'client_id',
  'dropped',
  'authentication',
  'auto_submitted',
  'has_attachments',
  'size_bytes',
  'messages.created_at',
  'messages.api_key_id',
  'messages.request_id',
  'cut_fields',
  'messages.metadata',
  'is_read',
] as const;

const bodyColumns = ['body_text', 'body_html', 'extracted_text'] as const;
const addressColumns = ['to_addrs', 'cc_addrs', 'bcc_addrs', 'reply_to_addrs', 'envelope_to'] as const;
const listColumns = [...addressColumns, 'reference_ids'] as const;

/** The columns that lists cut. */
export const largeColumns = [...bodyColumns, ...listColumns] as const;
type LargeColumn = (typeof largeColumns)[number];

/** A hundred mails of this size, with their texts twice, are about what an answer holds. */
const smallMailBytes = 16_384;
const isLarge = ({ size_bytes }: Pick<MessageRow, 'size_bytes'>): boolean => size_bytes > smallMailBytes;

/** Messages with the columns that lists show; those of large mails lack the columns that `fillLarge` reads. */
export const withListed = (messages: Messages) => {
  const ofSmall = (column: LargeColumn) =>
    sql<unknown>`case when size_bytes <= ${sql.lit(smallMailBytes)} then ${sql.ref(column)} end`.as(column);
  return messages.select(smallColumns).select(largeColumns.map(ofSmall));
};

/** The messages of a list, as `withListed`. */
export const selectListed = async (messages: Messages): Promise<MessageRow[]> =>
  (await withListed(messages).execute()) as unknown as MessageRow[];

/** Messages of a list, and the last of them where others behind it did not fit into an answer; null where all did. */
export interface Filled {
  rows: MessageRow[];
  lastId: string | null;
}

/** Reads what `withListed` left out, of as many of the messages, from the first on, as an answer holds; at least of one. */
export const fillLarge = async (
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  rows: MessageRow[],
  bytesMax = limits.answerBytesMax,
): Promise<Filled> => {
  const ids = rows.filter(isLarge).map(({ id }) => id);
  if (ids.length === 0) return { rows, lastId: null };
  const { found, endId } = await readLarge(ctx, ids, bytesMax);
  const filled: MessageRow[] = [];
  for (const row of rows) {
    if (row.id === endId) return { rows: filled, lastId: filled.at(-1)?.id ?? null };
    const large = isLarge(row) ? found.get(row.id) : row;
    // A message that was removed a moment ago is left out.
    if (large) filled.push({ ...row, ...large });
  }
  return { rows: filled, lastId: null };
};

/** How much is read at a time: the embedded database runs in this thread, where others have a turn between two parts. */
const partBytes = 393_216;
const restMsMax = 20;

/** What fits of these messages, and the first that does not. */
const readLarge = async (ctx: Pick<Context, 'db' | 'workspaceId'>, ids: string[], bytesMax: number) => {
  const found = new Map<string, LargePart>();
  let bytes = 0;
  for (let rest = ids; rest.length > 0; ) {
    const from = performance.now();
    const part = await selectLarge(ctx, { workspaceId: ctx.workspaceId, ids: rest, partBytes });
    for (const row of part.filter(({ fits }) => fits)) {
      if (bytes > bytesMax) return { found, endId: row.id };
      bytes += row.weight;
      found.set(row.id, row);
    }
    const end = part.find(({ fits }) => !fits);
    rest = end ? rest.slice(rest.indexOf(end.id)) : [];
    if (rest.length > 0) await pause(Math.min(performance.now() - from, restMsMax));
  }
  return { found, endId: null };
};

type LargePart = Pick<MessageRow, 'id' | LargeColumn> & { fits: boolean; weight: number };
interface OfPart {
  workspaceId: string;
  ids: string[];
  partBytes: number;
}

const selectLarge = prepared((db, { workspaceId, ids, partBytes }: OfPart) => {
  const place = sql`array_position(${ids}::text[], messages.id)`;
  const weighed = scoped({ db, workspaceId })
    .selectFrom('messages')
    .select(['messages.id', ...largeColumns])
    .select([weight.as('weight'), sql<number>`${place}`.as('place')])
    .where('messages.id', '=', anyOf(ids));
  const across = acrossWorkspaces({ db }, 'the messages are those of the workspace');
  const listed = across
    .selectFrom(weighed.as('weighed'))
    .selectAll('weighed')
    .select(
      sql<boolean>`sum(weight) over (order by place rows unbounded preceding) - weight < ${partBytes}::int`.as(
        'fits',
      ),
    );
  return across
    .selectFrom(listed.as('listed'))
    .select(['listed.id', 'listed.weight', 'listed.fits'])
    .select(largeColumns.map((column) => sql`case when fits then ${cut(column)} end`.as(column)))
    .orderBy('place')
    .compile();
}) as unknown as (ctx: { db: Db }, values: OfPart) => Promise<LargePart[]>;

/** What an answer has of a message beside what is counted, and of each file with its link. */
const bytesBeside = 2_048;
const bytesPerFile = 640;
/** Packed lists up to this size are small when they are unpacked, too; larger ones may be twenty times as large and more. */
const smallListBytes = 400;
const unpackedPerPacked = 20;
const listBytesMax = 400_000;

/** A text that is cut counts for more than what is left of it, because cutting takes long. */
const bodyBytes = (column: LargeColumn) =>
  sql`least(coalesce(octet_length(${sql.ref(column)}), 0), ${sql.lit(2 * limits.listedBodyBytesMax)})`;

const listBytes = (column: LargeColumn) => {
  const packed = sql`pg_column_size(${sql.ref(column)})`;
  return sql`case when ${packed} <= ${sql.lit(smallListBytes)} then ${packed}
    else least(${packed} * ${sql.lit(unpackedPerPacked)}, ${sql.lit(listBytesMax)}) end`;
};

const fileBytes = sql`case when has_attachments then ${sql.lit(bytesPerFile)} * (select count(*) from attachments
  where attachments.workspace_id = messages.workspace_id and attachments.message_id = messages.id) else 0 end`;

const weight = sql<number>`(${sql.lit(bytesBeside)} + ${sql.join(
  [...bodyColumns.map(bodyBytes), ...listColumns.map(listBytes), fileBytes],
  sql` + `,
)})::int`;

/** Of each text and list one more than lists show is left, so that the view sees that something was cut. */
const cut = (column: LargeColumn): RawBuilder<unknown> => {
  const ref = sql.ref(column);
  const [addresses, references] = [limits.listedAddressesMax, limits.listedReferencesMax];
  if (column === 'reference_ids')
    return sql`case when cardinality(${ref}) <= ${sql.lit(references)} then ${ref}
      else ${ref}[1:1] || ${ref}[cardinality(${ref}) - ${sql.lit(references - 1)}:] end`;
  const isBody = (bodyColumns as readonly string[]).includes(column);
  return isBody
    ? sql`case when octet_length(${ref}) <= ${sql.lit(limits.listedBodyBytesMax)} then ${ref}
        else left(${ref}, ${sql.lit(limits.listedBodyBytesMax + 1)}) end`
    : sql`${ref}[:${sql.lit(addresses + 1)}]`;
};
