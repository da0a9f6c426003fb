import { onControlConnection } from '../db/control-connection.ts';
import { migrate } from '../db/migrate.ts';
import { listAllDomains, showDomain, showTemplate, showZoneFile } from '../domains/manage-domains.ts';
import { adoptWorkspaces } from '../people/first-owner.ts';
import { searchStatus } from '../search/index/search-status.ts';
import { createWorkspace, listWorkspaces, setPlan } from '../workspaces/manage-workspaces.ts';
import type { AdminDeps } from './admin-deps.ts';
import { approvalsCommands } from './approvals-commands.ts';
import { auditCommands } from './audit-commands.ts';
import { controlCommands } from './control-commands.ts';
import { keyCommands } from './key-commands.ts';
import { peopleCommands } from './people-commands.ts';

/** The commands of operators, by name. The command line runs them in a running server, or else directly on its database. */
export const adminCommands = {
  migrate: (deps: AdminDeps) => migrate(deps.database),
  ...keyCommands,
  'workspaces create': async (deps: AdminDeps, input: { name: string; plan: string; test: boolean }) => {
    const made = await createWorkspace(deps, { name: input.name, plan: input.plan, isTest: input.test });
    if (!made) throw new Error(`There is a workspace ${input.name} already.`);
    await adoptWorkspaces(deps);
    return made;
  },
  'workspaces list': (deps: AdminDeps) => listWorkspaces(deps),
  'workspaces set-plan': (deps: AdminDeps, input: { name: string; plan: string }) =>
    setPlan(deps, input.name, input.plan),
  'domains list': (deps: AdminDeps) => listAllDomains(deps),
  'domains show': async (deps: AdminDeps, input: { hostname: string }) =>
    showDomain({ ...deps, keys: await deps.openKeys() }, input.hostname),
  'domains zone': async (deps: AdminDeps, input: { hostname: string }) =>
    showZoneFile({ ...deps, keys: await deps.openKeys() }, input.hostname),
  ...approvalsCommands,
  ...auditCommands,
  ...peopleCommands,
  ...controlCommands,
  'search status': (deps: AdminDeps) => searchStatus(deps),
  'domains template': async (deps: AdminDeps) => showTemplate(deps),
};

/** The name of a command. */
export type AdminCommand = keyof typeof adminCommands;

/** The input of a command. */
export type AdminInput<Command extends AdminCommand> = NonNullable<
  Parameters<(typeof adminCommands)[Command]>[1]
>;

/** Runs a command by its name and returns its result, in the running server or on its database. */
export type RunCommand = <Name extends AdminCommand>(
  name: Name,
  input: AdminInput<Name> | object,
) => Promise<unknown>;

/** Runs a command by its name. Throws an Error that says what is wrong. */
export async function runAdminCommand(deps: AdminDeps, name: string, input: unknown): Promise<unknown> {
  if (!Object.hasOwn(adminCommands, name)) throw new Error(`There is no command ${name}.`);
  const command = adminCommands[name as AdminCommand] as (
    deps: AdminDeps,
    input: unknown,
  ) => Promise<unknown>;
  // A command that stops something does not wait behind the callers that it stops.
  return Object.hasOwn(controlCommands, name)
    ? onControlConnection(() => command(deps, input))
    : command(deps, input);
}
