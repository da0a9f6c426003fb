import { limits } from '@postrider/contract';
import { type RawBuilder, sql } from 'kysely';
import { anyText, prepared } from '../db/prepared.ts';
import { acrossWorkspaces, type OwnRows, ownRows, type RowsContext, scoped } from '../db/scoped.ts';
import type { Db } from '../db/tables.ts';
import { liveMessages, type Messages } from './find-message.ts';
import { bodyColumns, largeColumns, listColumns, smallColumns } from './message.entity.ts';
import type { MessageRow } from './store/message-record.ts';

type LargeColumn = (typeof largeColumns)[number];

/** A hundred mails of this size, with their texts twice, take about as much as a response holds. */
const smallMailBytes = 16_384;
function isLarge({ size_bytes }: Pick<MessageRow, 'size_bytes'>): boolean {
  return size_bytes > smallMailBytes;
}

/** Returns a query of messages with the columns that lists show. Those of large mails lack the columns that `fillLarge` reads. */
export function withListed(messages: Messages) {
  const ofSmall = (column: LargeColumn) =>
    sql<unknown>`case when size_bytes <= ${sql.lit(smallMailBytes)} then ${sql.ref(column)} end`.as(column);
  return messages.select(smallColumns).select(largeColumns.map(ofSmall));
}

/** Returns the messages of a list, with the columns of `withListed`. */
export async function selectListed(messages: Messages): Promise<MessageRow[]> {
  return (await withListed(messages).execute()) as unknown as MessageRow[];
}

/** Returns live messages of the caller with the columns of `withListed`, in any order. */
export function selectListedByIds(ctx: RowsContext, ids: string[]): Promise<MessageRow[]> {
  return listedByIds(ctx, { ...ownRows(ctx), ids }) as Promise<unknown> as Promise<MessageRow[]>;
}

const listedByIds = prepared((db, { workspaceId, inboxIds, ids }: OwnRows & { ids: string[] }) =>
  withListed(
    liveMessages({ db, workspaceId, scope: { inboxIds } }).where('messages.id', '=', anyText(ids)),
  ).compile(),
);

/** Messages of a list that fit into a response. `lastId` is the last of them if others after it did not fit; null if all did. */
export interface Filled {
  rows: MessageRow[];
  lastId: string | null;
}

/** Reads the columns that `withListed` left out, for as many messages as a response holds, from the first on, and for at least one. */
export async function fillLarge(
  ctx: RowsContext,
  rows: MessageRow[],
  bytesMax = limits.answerBytesMax,
): Promise<Filled> {
  const ids = rows.filter(isLarge).map(({ id }) => id);
  if (ids.length === 0) return { rows, lastId: null };
  const { found, endId } = await readLarge(ctx, ids, bytesMax);
  const filled: MessageRow[] = [];
  for (const row of rows) {
    if (row.id === endId) return { rows: filled, lastId: filled.at(-1)?.id ?? null };
    const large = isLarge(row) ? found.get(row.id) : row;
    // A message that was just removed is left out.
    if (large) filled.push({ ...row, ...large });
  }
  return { rows: filled, lastId: null };
}

/** The amount that is read at a time, so that little is read that does not fit. */
const partBytes = 393_216;

/** Returns the large columns of the messages that fit, and the id of the first that does not. */
async function readLarge(ctx: RowsContext, ids: string[], bytesMax: number) {
  const found = new Map<string, LargePart>();
  let bytes = 0;
  for (let rest = ids; rest.length > 0; ) {
    const part = await selectLarge(ctx, { ...ownRows(ctx), ids: rest, partBytes });
    for (const row of part.filter(({ fits }) => fits)) {
      if (bytes > bytesMax) return { found, endId: row.id };
      bytes += row.weight;
      found.set(row.id, row);
    }
    const end = part.find(({ fits }) => !fits);
    rest = end ? rest.slice(rest.indexOf(end.id)) : [];
  }
  return { found, endId: null };
}

type LargePart = Pick<MessageRow, 'id' | LargeColumn> & { fits: boolean; weight: number };
interface OfPart extends OwnRows {
  ids: string[];
  partBytes: number;
}

const selectLarge = prepared((db, { workspaceId, inboxIds, ids, partBytes }: OfPart) => {
  const place = sql`array_position(${ids}::text[], messages.id)`;
  const weighed = scoped({ db, workspaceId, scope: { inboxIds } })
    .selectFrom('messages')
    .select(['messages.id', ...largeColumns])
    .select([weight.as('weight'), sql<number>`${place}`.as('place')])
    .where('messages.id', '=', anyText(ids));
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

/** The bytes of a message in a response apart from its large columns and files, and those of each file with its link. */
const bytesBeside = 2_048;
const bytesPerFile = 640;
/** Packed lists up to this size are small when they are unpacked, too. Larger ones may become twenty times as large and more. */
const smallListBytes = 400;
const unpackedPerPacked = 20;
const listBytesMax = 400_000;

/** A cut text counts for more than the remaining part, because cutting takes long. */
function bodyBytes(column: LargeColumn) {
  return sql`least(coalesce(octet_length(${sql.ref(column)}), 0), ${sql.lit(2 * limits.listedBodyBytesMax)})`;
}

function listBytes(column: LargeColumn) {
  const packed = sql`pg_column_size(${sql.ref(column)})`;
  return sql`case when ${packed} <= ${sql.lit(smallListBytes)} then ${packed}
    else least(${packed} * ${sql.lit(unpackedPerPacked)}, ${sql.lit(listBytesMax)}) end`;
}

const fileBytes = sql`case when has_attachments then ${sql.lit(bytesPerFile)} * (select count(*) from attachments
  where attachments.workspace_id = messages.workspace_id and attachments.message_id = messages.id) else 0 end`;

const weight = sql<number>`(${sql.lit(bytesBeside)} + ${sql.join(
  [...bodyColumns.map(bodyBytes), ...listColumns.map(listBytes), fileBytes],
  sql` + `,
)})::int`;

/** Cuts a column, but leaves one more character or item than lists show, so that the view sees that something was cut. */
function cut(column: LargeColumn): RawBuilder<unknown> {
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
}
