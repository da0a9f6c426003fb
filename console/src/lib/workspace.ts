import type { Membership } from '@postrider/contract/console';
import { createContext, use } from 'react';
import { keepStored, readStored } from './browser.ts';

const storageName = 'console-workspace';

/** The membership in the current workspace. */
export const WorkspaceContext = createContext<Membership | null>(null);

/** Returns the current workspace and the person's role in it. Only for pages behind the sign-in. */
export function useWorkspace(): Membership {
  const membership = use(WorkspaceContext);
  if (membership === null) throw new Error('This page needs a workspace.');
  return membership;
}

/** Returns the address that shows a workspace. It is one to share, because it names the workspace. */
export function workspacePath(id: string): string {
  return `/?workspace=${encodeURIComponent(id)}`;
}

/** Returns whether the person is an owner of the current workspace. */
export function useIsOwner(): boolean {
  return useWorkspace().role === 'owner';
}

/** Returns the beginning of the query keys of the current workspace: `useQueryKey('keys')` is `[workspaceId, 'keys']`. */
export function useQueryKey(...rest: unknown[]): unknown[] {
  return [useWorkspace().workspace_id, ...rest];
}

/** Returns the workspace that a tab shows: the one of the address, the one last shown, or the first. */
export function chooseWorkspace(workspaces: Membership[], asked: string | null): Membership | null {
  const wanted = [asked, readStored('sessionStorage', storageName), readStored('localStorage', storageName)];
  const found = wanted.flatMap((id) => workspaces.filter(({ workspace_id }) => workspace_id === id));
  return found[0] ?? workspaces[0] ?? null;
}

/** Keeps the choice, for this tab and for the next one that is opened. */
export function keepWorkspace(id: string): void {
  keepStored('sessionStorage', storageName, id);
  keepStored('localStorage', storageName, id);
}

/** Returns whether a workspace was shown in this browser before. */
export function wasSignedIn(): boolean {
  return readStored('localStorage', storageName) !== null;
}
