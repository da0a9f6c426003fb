import type { AuditCheck, AuditEntry } from '@postrider/contract/console';
import { listAudit } from '../audit/list-audit.ts';
import { exportPage } from '../audit/read-entries.ts';
import { hasHash, verifyAudit } from '../audit/verify-audit.ts';
import { firstWorkspaceName } from '../keys/bootstrap.ts';
import { getWorkspace, listWorkspaces } from '../workspaces/manage-workspaces.ts';
import type { AdminDeps } from './admin-deps.ts';

/** The result for one workspace. */
export type WorkspaceCheck = AuditCheck & { workspace: string };

/** The commands about the audit logs of workspaces. None of them changes a log. */
export const auditCommands = {
  'audit list': async (
    deps: AdminDeps,
    { workspace, limit, action }: { workspace?: string; limit: number; action?: string },
  ): Promise<AuditEntry[]> => (await listAudit(await contextOf(deps, workspace), { limit, action })).rows,
  'audit verify': async (
    deps: AdminDeps,
    { workspace, noted }: { workspace?: string; noted?: string },
  ): Promise<WorkspaceCheck[]> => {
    const workspaces =
      workspace === undefined ? await listWorkspaces(deps) : [await getWorkspace(deps, workspace)];
    const checks: WorkspaceCheck[] = [];
    let isFound = noted === undefined;
    for (const { id: workspaceId, name } of workspaces) {
      const ctx = { ...deps, workspaceId };
      checks.push({ workspace: name, ...(await verifyAudit(ctx)) });
      isFound ||= await hasHash(ctx, noted ?? '');
    }
    if (isFound) return checks;
    throw new Error(
      `No entry has the hash ${noted}. The entry is older than a year, or it was removed or replaced with all that follow it.`,
    );
  },
  'audit export': async (deps: AdminDeps, { workspace, after }: { workspace?: string; after: number }) =>
    exportPage(await contextOf(deps, workspace), after),
};

async function contextOf(deps: AdminDeps, workspace = firstWorkspaceName) {
  return { ...deps, workspaceId: (await getWorkspace(deps, workspace)).id };
}
