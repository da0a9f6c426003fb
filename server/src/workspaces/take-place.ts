import { ApiError } from '../lib/api-error.ts';

/**
 * Takes one of the places that each workspace has in this process, which the answered function gives back.
 *
 * @throws ApiError `limit_reached` when all are taken.
 */
export const takePlace = (taken: Map<string, number>, workspaceId: string, limit: number): (() => void) => {
  const count = taken.get(workspaceId) ?? 0;
  if (count >= limit) throw new ApiError('limit_reached', { limit });
  taken.set(workspaceId, count + 1);
  return () => {
    const left = (taken.get(workspaceId) ?? 1) - 1;
    if (left === 0) taken.delete(workspaceId);
    else taken.set(workspaceId, left);
  };
};
