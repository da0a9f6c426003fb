/*
 * What lists show of messages, cut in the database: a page of large mails could take gigabytes here, and a stranger decides how
 * large a mail is. Each body and each list of a message is cut, and a page has a budget. Messages beyond it come without what is
 * large, and that is neither unpacked nor sent. What a message needs is told by sizes that the database knows without unpacking.
 */
import { limits } from '@postrider/contract';
import { type AliasedExpression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Messages } from './find-message.ts';
import type { MessageRow } from './message-record.ts';

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
] as const;

const bodyColumns = ['body_text', 'body_html', 'extracted_text'] as const;
const addressColumns = ['to_addrs', 'cc_addrs', 'bcc_addrs', 'reply_to_addrs', 'envelope_to'] as const;
const listColumns = [...addressColumns, 'reference_ids'] as const;

/** The columns that lists cut. */
export const largeColumns = [...bodyColumns, ...listColumns] as const;

/** What an answer has of a message beside what is counted, and of each file with its link. */
const bytesBeside = 2_048;
const bytesPerFile = 640;
/** Packed lists up to this size are small when they are unpacked, too; larger ones may be twenty times as large and more. */
const smallListBytes = 400;
const unpackedPerPacked = 20;
const listBytesMax = 400_000;

const bodyBytes = (column: string) =>
  sql`least(coalesce(octet_length(${sql.ref(column)}), 0), ${sql.lit(limits.listedBodyBytesMax)})`;

const listBytes = (column: string) =>
  sql`case when pg_column_size(${sql.ref(column)}) <= ${sql.lit(smallListBytes)} then pg_column_size(${sql.ref(column)})
    else least(pg_column_size(${sql.ref(column)}) * ${sql.lit(unpackedPerPacked)}, ${sql.lit(listBytesMax)}) end`;

const fileBytes = sql`case when has_attachments then ${sql.lit(bytesPerFile)} * (select count(*) from attachments
  where attachments.workspace_id = messages.workspace_id and attachments.message_id = messages.id) else 0 end`;

const weight = sql<number>`(${sql.lit(bytesBeside)} + ${sql.join(
  [...bodyColumns.map(bodyBytes), ...listColumns.map(listBytes), fileBytes],
  sql` + `,
)})::int`;

/** These messages as a part of a list: their columns still packed, and how many bytes each needs in an answer. */
export const asListed = (messages: Messages) =>
  messages.select(smallColumns).select(largeColumns).select(weight.as('weight'));

/** How much the messages before one need, in the order of a list; for the message with this weight. */
export const weightBefore = (weightOf: string, order: RawBuilder<unknown>) =>
  sql<number>`sum(${sql.ref(weightOf)}) over (order by ${order} rows unbounded preceding) - ${sql.ref(weightOf)}`;

/** A message of a list. One that does not fit into the answer has nothing in its large columns. */
export type ListedRow = MessageRow & { fits: boolean };

type ListedQuery = SelectQueryBuilder<{ listed: ListedRow }, 'listed', ListedRow>;

/**
 * What an answer shows of messages selected by `asListed`, each with the `weightBefore` it as `before`. Of each text and list one
 * more than is shown is left, so that the view sees that something was cut.
 */
export const withinAnswer = (db: Db, listed: AliasedExpression<unknown, 'listed'>): ListedQuery => {
  const fits = sql<boolean>`before < ${sql.lit(limits.answerBytesMax)}`;
  const shown = (column: (typeof largeColumns)[number]) =>
    sql<unknown>`case when ${fits} then ${cut(column)} end`.as(column);
  return db
    .selectFrom(listed as AliasedExpression<ListedRow, 'listed'>)
    .select(smallColumns.map((column) => column.replace('messages.', '') as 'id'))
    .select(largeColumns.map(shown))
    .select(fits.as('fits')) as unknown as ListedQuery;
};

const cut = (column: (typeof largeColumns)[number]): RawBuilder<unknown> => {
  const ref = sql.ref(column);
  const [addresses, references] = [limits.listedAddressesMax, limits.listedReferencesMax];
  if (column === 'reference_ids')
    return sql`case when cardinality(${ref}) <= ${sql.lit(references)} then ${ref}
      else ${ref}[1:1] || ${ref}[cardinality(${ref}) - ${sql.lit(references - 1)}:] end`;
  const isBody = (bodyColumns as readonly string[]).includes(column);
  return isBody
    ? sql`left(${ref}, ${sql.lit(limits.listedBodyBytesMax + 1)})`
    : sql`${ref}[:${sql.lit(addresses + 1)}]`;
};

/** The messages of a page that fit into its answer, and whether others were left out. */
export const fitting = <Row extends { fits: boolean }>(rows: Row[]): { rows: Row[]; isCut: boolean } => {
  const end = rows.findIndex((row) => !row.fits);
  return end < 0 ? { rows, isCut: false } : { rows: rows.slice(0, end), isCut: true };
};
