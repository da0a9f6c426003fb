import { ApiError } from '../lib/api-error.ts';

/** The slots of each workspace in this process, and the advice if all of them are taken. */
export interface Slots {
  taken: Map<string, number>;
  limit: number;
  remedy: string;
}

/**
 * Takes one of the slots of a workspace and returns the function that releases it.
 *
 * @throws ApiError `limit_reached` if all are taken.
 */
export function takeSlot({ taken, limit, remedy }: Slots, workspaceId: string): () => void {
  const count = taken.get(workspaceId) ?? 0;
  if (count >= limit) throw new ApiError('limit_reached', { limit }, { message: remedy });
  taken.set(workspaceId, count + 1);
  return () => {
    const left = (taken.get(workspaceId) ?? 1) - 1;
    if (left === 0) taken.delete(workspaceId);
    else taken.set(workspaceId, left);
  };
}
