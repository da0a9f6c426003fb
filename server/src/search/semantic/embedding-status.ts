import { sql } from 'kysely';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';

/** How far the vectors of messages are, over all workspaces. */
export interface EmbeddingStatus {
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
export async function embeddingStatus(deps: Pick<Deps, 'db' | 'config'>): Promise<EmbeddingStatus> {
  const { rows } = await sql<Pick<EmbeddingStatus, 'embedded' | 'workspaces'>>`
    select (select count(*) from search_codes) as embedded, count(*) as workspaces from embedding_progress`.execute(
    acrossWorkspaces(deps, 'an operator sees all workspaces'),
  );
  return { provider: deps.config.embeddings.kind, ...rows[0]!, ...(await readEmbeddingProgress(deps)) };
}

/** Returns what is still to be embedded. */
export async function readEmbeddingProgress(
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
