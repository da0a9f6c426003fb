import { ApiError } from '../lib/api-error.ts';

/** Places that each workspace has in this process, and what to do when all of its own are taken. */
export interface Places {
  taken: Map<string, number>;
  limit: number;
  remedy: string;
}

/**
 * Takes one of the places of a workspace, which the returned function gives back.
 *
 * @throws ApiError `limit_reached` when all are taken.
 */
export const takePlace = ({ taken, limit, remedy }: Places, workspaceId: string): (() => void) => {
  const count = taken.get(workspaceId) ?? 0;
  if (count >= limit) throw new ApiError('limit_reached', { limit }, { message: remedy });
  taken.set(workspaceId, count + 1);
  return () => {
    const left = (taken.get(workspaceId) ?? 1) - 1;
    if (left === 0) taken.delete(workspaceId);
    else taken.set(workspaceId, left);
  };
};
