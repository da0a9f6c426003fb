const storageName = (workspaceId: string) => `console-first-steps-hidden-${workspaceId}`;

/** Returns whether the person has hidden the first steps of a workspace in this browser. */
export function isHidden(workspaceId: string): boolean {
  try {
    return localStorage.getItem(storageName(workspaceId)) !== null;
  } catch {
    return false;
  }
}

/** Keeps that the person has hidden the first steps of a workspace. */
export function keepHidden(workspaceId: string): void {
  try {
    localStorage.setItem(storageName(workspaceId), '1');
  } catch {
    // A browser without storage shows them again with the next page.
  }
}
