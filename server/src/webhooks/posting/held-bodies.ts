import { wait } from '../../lib/concurrency/wait.ts';

/** The bytes of bodies that may wait for receivers in a process, and the share of the free part that one workspace may take. */
export const bodyLimits = { bytesMax: 100_663_296, workspaceShare: 0.5, waitMs: 10_000 };

const lookAgainMs = 20;

/** The bodies being posted, by workspace. Limiting them keeps receivers that hang from filling the memory. */
export interface HeldBodies {
  /** Waits until the workspace may hold more. Resolves to false if that took too long or `cut` was aborted. */
  room(workspaceId: string, cut?: AbortSignal): Promise<boolean>;
  /** Counts bytes of the workspace until the returned function is called. */
  hold(workspaceId: string, bytes: number): () => void;
}

/** Creates the count of a process. */
export function createHeldBodies(): HeldBodies {
  const held = new Map<string, number>();
  let all = 0;
  const change = (workspaceId: string, by: number) => {
    all += by;
    const bytes = (held.get(workspaceId) ?? 0) + by;
    if (bytes > 0) held.set(workspaceId, bytes);
    else held.delete(workspaceId);
  };
  const hasRoom = (workspaceId: string): boolean => {
    const own = held.get(workspaceId) ?? 0;
    return own <= bodyLimits.workspaceShare * (bodyLimits.bytesMax - all + own);
  };
  return {
    room: async (workspaceId, cut) => {
      const until = performance.now() + bodyLimits.waitMs;
      while (!hasRoom(workspaceId)) {
        if (performance.now() >= until || (await wait(lookAgainMs, cut)) === 'aborted') return false;
      }
      return true;
    },
    hold: (workspaceId, bytes) => {
      change(workspaceId, bytes);
      return () => change(workspaceId, -bytes);
    },
  };
}
