import type { Command } from 'commander';
import { adoptWorkspaces } from '../people/first-owner.ts';
import { type AccountUsage, readAccountUsage } from '../workspaces/account-usage.ts';
import { deleteWorkspace } from '../workspaces/delete-workspace.ts';
import {
  changeWorkspace,
  createWorkspace,
  getWorkspace,
  listWorkspaces,
  type WorkspaceSummary,
} from '../workspaces/manage-workspaces.ts';
import { type AdminDeps, type Printing, runAndPrint, type Terminal } from './command.ts';
import { atOnce } from './control.ts';

interface ListedWorkspace extends WorkspaceSummary {
  usage: AccountUsage;
}

/** The commands about workspaces. Their audit logs say that the operator ran them. */
export const workspaceCommands = {
  'workspaces create': async (deps: AdminDeps, input: { name: string; plan: string; test: boolean }) => {
    const made = await createWorkspace(deps, { name: input.name, plan: input.plan, isTest: input.test });
    if (!made) throw new Error(`There is already a workspace ${input.name}.`);
    await adoptWorkspaces(deps);
    return made;
  },
  /** Those that were deleted are in it until everything that they had is removed, which their usage shows. */
  'workspaces list': async (deps: AdminDeps): Promise<ListedWorkspace[]> => {
    const all = await listWorkspaces(deps);
    const rows = all.filter(({ deleted_at, purge_at }) => deleted_at === null || purge_at !== null);
    const usages = await readAccountUsage(
      deps,
      rows.map(({ id }) => id),
      deps.clock.now(),
    );
    return rows.flatMap(({ purge_at: _, ...row }) => {
      const usage = usages.get(row.id);
      return usage ? [{ ...row, usage }] : [];
    });
  },
  'workspaces set-plan': async (deps: AdminDeps, { name, plan }: { name: string; plan: string }) =>
    changeWorkspace(deps, await getWorkspace(deps, name), { plan }),
  'workspaces rename': async (deps: AdminDeps, input: { name: string; newName: string }) =>
    changeWorkspace(deps, await getWorkspace(deps, input.name), { name: input.newName }),
  'workspaces delete': atOnce(async (deps, { name, confirm }: { name: string; confirm?: string }) => {
    const workspace = await getWorkspace(deps, name);
    if (confirm !== name) throw new Error(notConfirmed(name));
    const { underWay } = await deleteWorkspace(deps, workspace);
    return { id: workspace.id, name, deleted: true, under_way: underWay };
  }),
};

function notConfirmed(name: string): string {
  return `This permanently deletes the workspace ${name} with all of its mail. To confirm, repeat its name: --confirm ${name}`;
}

/** Adds the verbs about workspaces. */
export function registerWorkspaces(workspaces: Command, terminal: Terminal): void {
  workspaces
    .command('create <name>')
    .description('create a workspace')
    .option('--plan <plan>', 'free, pro, scale or business', 'business')
    .option('--test', 'its mail never leaves this server', false)
    .action((name: string, options: { plan: string; test: boolean }) =>
      runAndPrint(terminal, workspaceCommands['workspaces create'], { name, ...options }),
    );
  workspaces
    .command('list')
    .description('show workspaces, and what they use')
    .action((options: Printing) => runAndPrint(terminal, workspaceCommands['workspaces list'], options));
  workspaces
    .command('set-plan <name> <plan>')
    .description('change the plan of a workspace')
    .action((name: string, plan: string, options: Printing) =>
      runAndPrint(terminal, workspaceCommands['workspaces set-plan'], { name, plan, ...options }),
    );
  workspaces
    .command('rename <name> <new>')
    .description('give a workspace another name')
    .action((name: string, newName: string, options: Printing) =>
      runAndPrint(terminal, workspaceCommands['workspaces rename'], { name, newName, ...options }),
    );
  workspaces
    .command('delete <name>')
    .description('delete a workspace: stop it at once, and remove its mail and files in the background')
    .option('--confirm <name>', 'the name again, to confirm; on a terminal, the command asks for it')
    .action((name: string, options: Printing & { confirm?: string }) =>
      runAndPrint(terminal, workspaceCommands['workspaces delete'], { name, ...options }),
    );
}
