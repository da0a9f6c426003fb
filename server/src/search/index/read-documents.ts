import { type RawBuilder, sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';

/**
 * A file of a message. `text` is the text that was read from it, cut so that all files of a message together have at most 400,000
 * characters.
 */
export interface DocumentFile {
  id: string;
  filename: string;
  mime_type: string;
  size_bytes: number;
  text: string | null;
}

/** A message to be indexed, with at most the first 200,000 characters of each text. */
export interface DocumentRow {
  workspace_id: string;
  message_id: string;
  /** Null in a backfill. */
  revision: number | null;
  /** Null if the message was deleted, like all following columns except the bucket. */
  inbox_id: string | null;
  direction: 'inbound' | 'outbound';
  has_attachments: boolean;
  subject: string;
  from_addr: string;
  from_name: string | null;
  recipients: string[];
  body_text: string | null;
  extracted_text: string | null;
  /** Used only if there is no other text. */
  body_html: string | null;
  files: DocumentFile[];
  /** The bucket of a message that is indexed already, and its numbers; null for one that is not. */
  bucket: number | null;
  number: number | null;
  block: number | null;
}

/** Returns whether a message has not been removed since it was to be indexed. */
export function isThere(row: DocumentRow): boolean {
  return row.inbox_id !== null;
}

/** The maximum amount in a batch. */
export interface BatchSize {
  messages: number;
  bytes: number;
}

const charactersMax = 200_000;
/** The bytes of a text that count: a character has up to 4, and nothing after 200,000 of them is read. */
const countedBytes = (column: string) =>
  sql`least(coalesce(octet_length(${sql.ref(column)}), 0), ${sql.lit(charactersMax)})`;
const cut = (column: string) => sql`left(${sql.ref(column)}, ${sql.lit(charactersMax)})`;

/** Selects the messages of `asked`, which has workspace_id, message_id, revision and nth, in the order of nth up to a number of bytes. */
function selectDocuments(asked: RawBuilder<unknown>, bytes: number): RawBuilder<DocumentRow> {
  return sql`with asked as materialized (${asked}),
    sized as (
      select a.workspace_id as ws, a.message_id as msg, a.revision, m.*,
        sum(4000 + ${countedBytes('m.body_text')} + ${countedBytes('m.extracted_text')} + least(${sql.lit(charactersMax)}, (
            select coalesce(sum(octet_length(t.text)), 0) from attachment_texts t
            where t.workspace_id = a.workspace_id and t.message_id = a.message_id)))
          over (order by a.nth, a.workspace_id rows between unbounded preceding and 1 preceding) as bytes_before
      from asked a left join lateral (
        select * from messages m where m.workspace_id = a.workspace_id and m.id = a.message_id offset 0) m on true)
    select d.ws as workspace_id, d.msg as message_id, d.revision, d.inbox_id, d.direction, d.has_attachments,
      left(d.subject, 10000) as subject, d.from_addr, d.from_name,
      (d.to_addrs || d.cc_addrs || d.bcc_addrs || d.envelope_to)[1:400] as recipients,
      ${cut('d.body_text')} as body_text, ${cut('d.extracted_text')} as extracted_text,
      case when d.body_text is null then ${cut('d.body_html')} end as body_html,
      coalesce((select jsonb_agg(jsonb_build_object('id', f.id, 'filename', f.filename, 'mime_type', f.mime_type,
            'size_bytes', f.size_bytes, 'text', case when f.characters_before < ${sql.lit(charactersMax)} then ${cut('f.text')} end)
          order by f.position)
        from (select a.id, a.filename, a.mime_type, a.size_bytes, a.position, t.text, coalesce(sum(octet_length(t.text))
              over (order by a.position rows between unbounded preceding and 1 preceding), 0) as characters_before
            from attachments a left join lateral (
              select t.text from attachment_texts t
              where t.workspace_id = d.ws and t.message_id = d.msg and t.attachment_id = a.id offset 0) t on true
            where a.workspace_id = d.ws and a.message_id = d.msg order by a.position limit 100) f), '[]') as files,
      i.bucket, b.number, b.block
    from sized d
      left join lateral (select s.bucket from search_messages s where s.workspace_id = d.ws and s.message_id = d.msg offset 0) i on true
      left join lateral (
        select b.number, b.block from search_buckets b where b.workspace_id = d.ws and b.bucket = i.bucket offset 0) b on true
    where coalesce(d.bytes_before, 0) < ${bytes}`;
}

/** The workspaces from which one batch takes messages. */
export const workspacesAtOnceMax = 50;

/** Returns up to 50 workspaces with messages that wait, in their order after `after`. */
export async function findWaiting(deps: Pick<Deps, 'db'>, after: string): Promise<string[]> {
  const rows = await selectWaiting(
    { db: acrossWorkspaces(deps, 'one process indexes the messages of all workspaces') },
    { after },
  );
  return rows.map(({ workspace_id }) => workspace_id);
}

const selectWaiting = prepared((db, { after }: { after: string }) =>
  sql<{ workspace_id: string }>`with recursive turn(workspace_id) as (
      (select workspace_id from search_pending where workspace_id > ${after} order by workspace_id limit 1)
      union all
      select (select p.workspace_id from search_pending p where p.workspace_id > turn.workspace_id order by p.workspace_id limit 1)
        from turn where turn.workspace_id is not null)
    select workspace_id from turn where workspace_id is not null limit ${sql.lit(workspacesAtOnceMax)}`.compile(
    db,
  ),
);

/** Returns the oldest messages that wait in these workspaces, of each the same number. */
export function readPending(
  deps: Pick<Deps, 'db'>,
  workspaceIds: string[],
  size: BatchSize,
): Promise<DocumentRow[]> {
  const each = Math.ceil(size.messages / workspaceIds.length);
  return selectPending(
    { db: acrossWorkspaces(deps, 'one process indexes the messages of all workspaces') },
    { workspaceIds, each, messages: size.messages, bytes: size.bytes },
  );
}

const selectPending = prepared(
  (
    db,
    {
      workspaceIds,
      each,
      messages,
      bytes,
    }: { workspaceIds: string[]; each: number; messages: number; bytes: number },
  ) =>
    selectDocuments(
      sql`select p.* from unnest(${workspaceIds}::text[]) w(id), lateral (
        select p.workspace_id, p.message_id, p.revision, row_number() over (order by p.message_id) as nth
        from search_pending p where p.workspace_id = w.id order by p.message_id limit ${each}) p
        order by nth, workspace_id limit ${messages}`,
      bytes,
    ).compile(db),
);

/** Removes pending rows whose messages were deleted. */
export async function dropPending(deps: Pick<Deps, 'db'>, rows: DocumentRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`delete from search_pending p
    using unnest(${rows.map((row) => row.workspace_id)}::text[], ${rows.map((row) => row.message_id)}::text[]) gone(workspace_id, id)
    where p.workspace_id = gone.workspace_id and p.message_id = gone.id
      and not exists (select from messages m where m.workspace_id = gone.workspace_id and m.id = gone.id)`.execute(
    acrossWorkspaces(deps, 'one process indexes the messages of all workspaces'),
  );
}

/** Returns these messages of a workspace in their order, for a backfill. */
export function readOld(
  deps: Pick<Deps, 'db'>,
  workspaceId: string,
  ids: string[],
  bytes: number,
): Promise<DocumentRow[]> {
  return selectOld(
    { db: acrossWorkspaces(deps, 'one process indexes the messages of all workspaces') },
    { workspaceId, ids, bytes },
  );
}

const selectOld = prepared(
  (db, { workspaceId, ids, bytes }: { workspaceId: string; ids: string[]; bytes: number }) =>
    selectDocuments(
      sql`select ${workspaceId}::text as workspace_id, id as message_id, null::int as revision, nth
        from unnest(${ids}::text[]) with ordinality old(id, nth)`,
      bytes,
    ).compile(db),
);
