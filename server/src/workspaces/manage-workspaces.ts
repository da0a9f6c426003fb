import { type Plan, plans } from '@postrider/contract';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';

/** A workspace as operators see it. */
export interface WorkspaceSummary {
  id: string;
  name: string;
  plan: Plan;
  is_test: boolean;
  created_at: Date;
}

type WorkspaceDeps = Pick<Deps, 'db' | 'clock'>;

const isPlan = (plan: string): plan is Plan => Object.hasOwn(plans, plan);

const requirePlan = (plan: string): Plan => {
  if (isPlan(plan)) return plan;
  throw new Error(`There is no plan ${plan}. The plans are ${Object.keys(plans).join(', ')}.`);
};

/**
 * Makes a workspace, or answers null when the name is taken.
 *
 * @throws Error when the plan is none of ours.
 */
export const createWorkspace = async (
  deps: WorkspaceDeps,
  options: { name: string; plan: string; isTest: boolean },
): Promise<WorkspaceSummary | null> => {
  const plan = requirePlan(options.plan);
  const created_at = deps.clock.now();
  const row = await acrossWorkspaces(deps, 'an operator makes workspaces')
    .insertInto('workspaces')
    .values({ id: newId('wsp', created_at), name: options.name, plan, is_test: options.isTest, created_at })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
};

/** All workspaces, oldest first. */
export const listWorkspaces = async (deps: WorkspaceDeps): Promise<WorkspaceSummary[]> =>
  acrossWorkspaces(deps, 'an operator sees all workspaces')
    .selectFrom('workspaces')
    .selectAll()
    .orderBy('id')
    .execute();

/**
 * The workspace of this name.
 *
 * @throws Error when there is none.
 */
export const getWorkspace = async (deps: WorkspaceDeps, name: string): Promise<WorkspaceSummary> => {
  const row = await acrossWorkspaces(deps, 'an operator names a workspace')
    .selectFrom('workspaces')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirst();
  if (!row) throw new Error(`There is no workspace ${name}. "workspaces list" shows them.`);
  return row;
};

/**
 * Puts a workspace on a plan, in force for its next request.
 *
 * @throws Error when the workspace or the plan is unknown.
 */
export const setPlan = async (deps: WorkspaceDeps, name: string, plan: string): Promise<WorkspaceSummary> => {
  const workspace = await getWorkspace(deps, name);
  await acrossWorkspaces(deps, 'an operator sets plans')
    .updateTable('workspaces')
    .set({ plan: requirePlan(plan) })
    .where('id', '=', workspace.id)
    .execute();
  return getWorkspace(deps, name);
};
