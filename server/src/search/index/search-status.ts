import { sql } from 'kysely';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { timeOfId } from '../../lib/ids.ts';
import { countFiles, type FileCounts } from '../files/count-files.ts';
import { type EmbeddingStatus, embeddingStatus } from '../semantic/embedding-status.ts';

/** How far the search index is, over all workspaces. */
export interface SearchStatus {
  indexed: number;
  pending: number;
  /** The age of the oldest message that waits; 0 if none does. */
  lag_seconds: number;
  /** Mail from before the index that is still to be indexed. */
  backfill: { workspaces: number; messages: number };
  /** Attachments in formats that are read, by the result of reading them. */
  files: FileCounts;
  /** How far the vectors of messages are. */
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

/** Returns what is still to be indexed. */
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
