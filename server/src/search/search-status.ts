import { sql } from 'kysely';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { timeOfId } from '../lib/ids.ts';
import type { ReadStatus } from './files/file-text.ts';

/** The progress of the search index, over all workspaces. */
interface SearchStatus {
  indexed: number;
  pending: number;
  /** The age of the oldest message that waits; 0 if none does. */
  lag_seconds: number;
  /** Mail from before the index that is still to be indexed. */
  backfill: { workspaces: number; messages: number };
  /** Attachments in formats that are read, by the result of reading them. */
  files: FileCounts;
  /** The progress of the vectors of messages. */
  embedding: EmbeddingStatus;
}

type StatusDeps = Pick<Deps, 'db' | 'clock'>;

/** Returns how far the search index is. It counts all messages, so it is for operators. */
export async function searchStatus(deps: StatusDeps & Pick<Deps, 'config'>): Promise<SearchStatus> {
  const { rows } = await sql<{ indexed: number }>`select count(*) as indexed from search_messages`.execute(
    acrossWorkspaces(deps, 'an operator sees all workspaces'),
  );
  const indexed = rows[0]?.indexed ?? 0;
  const files = await countFiles(deps);
  return { indexed, ...(await readProgress(deps)), files, embedding: await embeddingStatus(deps) };
}

/** Returns the messages that still need to be indexed. */
export async function readProgress(
  deps: StatusDeps,
): Promise<Pick<SearchStatus, 'pending' | 'lag_seconds' | 'backfill'>> {
  const { rows } = await sql<{
    pending: number;
    oldest: string | null;
    workspaces: number;
    messages: number;
  }>`
    select pending, oldest, workspaces, messages from
      (select count(*) as pending, min(message_id) as oldest from search_pending) waiting,
      (select count(*) as workspaces, coalesce(sum((
          select count(*) from messages m where m.workspace_id = s.workspace_id and m.id < s.backfill_before)), 0)::bigint as messages
        from search_workspaces s where s.backfill_before is not null) old`.execute(
    acrossWorkspaces(deps, 'the index is of all workspaces'),
  );
  const { pending, oldest, workspaces, messages } = rows[0]!;
  const lagMs = oldest === null ? 0 : deps.clock.now().getTime() - timeOfId(oldest).getTime();
  return { pending, lag_seconds: Math.max(0, lagMs / 1_000), backfill: { workspaces, messages } };
}

/** The progress of the vectors of messages, over all workspaces. */
interface EmbeddingStatus {
  /** The kind of provider that is set, such as `words` or `off`. */
  provider: string;
  /** Workspaces that search by meaning. The mail of others has no vectors. */
  workspaces: number;
  /** Messages with a vector, also of an earlier provider. */
  embedded: number;
  /** Messages that wait for a vector: new ones, and older ones that are next. */
  pending: number;
  /** Older messages that are still to be looked through for a vector, after an update or a change of the provider. */
  backfill: { workspaces: number; messages: number };
}

/** Returns how far the vectors are. It counts all messages, so it is for operators. */
async function embeddingStatus(deps: Pick<Deps, 'db' | 'config'>): Promise<EmbeddingStatus> {
  const { rows } = await sql<Pick<EmbeddingStatus, 'embedded' | 'workspaces'>>`
    select (select count(*) from search_codes) as embedded, count(*) as workspaces from embedding_progress`.execute(
    acrossWorkspaces(deps, 'an operator sees all workspaces'),
  );
  return { provider: deps.config.embeddings.kind, ...rows[0]!, ...(await readEmbeddingProgress(deps)) };
}

/** Returns the messages that still need to be embedded. */
async function readEmbeddingProgress(
  deps: Pick<Deps, 'db'>,
): Promise<Pick<EmbeddingStatus, 'pending' | 'backfill'>> {
  const { rows } = await sql<{ pending: number; workspaces: number; messages: number }>`
    select (select count(*) from embedding_pending) as pending, count(*) as workspaces, coalesce(sum((
        select count(*) from messages m where m.workspace_id = p.workspace_id and m.id < p.before)), 0)::bigint as messages
      from embedding_progress p where p.before is not null`.execute(
    acrossWorkspaces(deps, 'messages of all workspaces are embedded'),
  );
  const { pending, workspaces, messages } = rows[0]!;
  return { pending, backfill: { workspaces, messages } };
}

/** The files that wait to be read, and those that were, by result. */
type FileCounts = Partial<Record<ReadStatus | 'pending', number>>;

/** Counts all files by their status. It reads the whole table, so it is for an operator who asks. */
export async function countFiles(deps: Pick<Deps, 'db'>): Promise<FileCounts> {
  const rows = await acrossWorkspaces(deps, 'a figure of the server')
    .selectFrom('attachment_texts')
    .select('status')
    .select((of) => of.cast<number>(of.fn.countAll(), 'integer').as('files'))
    .groupBy('status')
    .execute();
  return Object.fromEntries(rows.map(({ status, files }) => [status, files]));
}
