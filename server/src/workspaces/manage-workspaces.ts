import { type Plan, plans } from '@postrider/contract';
import { appendAudit, operator } from '../audit/append-audit.ts';
import { inTransaction } from '../db/connections.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';

/** A workspace as operators see it. */
export interface WorkspaceSummary {
  id: string;
  name: string;
  /** The name that its owners gave it. */
  title: string;
  plan: Plan;
  is_test: boolean;
  created_at: Date;
}

type WorkspaceDeps = Pick<Deps, 'db' | 'clock'>;

function isPlan(plan: string): plan is Plan {
  return Object.hasOwn(plans, plan);
}

function requirePlan(plan: string): Plan {
  if (isPlan(plan)) return plan;
  throw new Error(`There is no plan ${plan}. The plans are ${Object.keys(plans).join(', ')}.`);
}

/**
 * Creates a workspace. Returns null if the name is taken.
 *
 * @throws Error if there is no such plan.
 */
export async function createWorkspace(
  deps: WorkspaceDeps,
  { name, plan: planName, isTest }: { name: string; plan: string; isTest: boolean },
): Promise<WorkspaceSummary | null> {
  const plan = requirePlan(planName);
  const created_at = deps.clock.now();
  const row = await acrossWorkspaces(deps, 'an operator makes workspaces')
    .insertInto('workspaces')
    .values({ id: newId('wsp', created_at), name, title: name, plan, is_test: isTest, created_at })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Returns all workspaces, oldest first. */
export async function listWorkspaces(deps: WorkspaceDeps): Promise<WorkspaceSummary[]> {
  return acrossWorkspaces(deps, 'an operator sees all workspaces')
    .selectFrom('workspaces')
    .selectAll()
    .orderBy('id')
    .execute();
}

/**
 * Returns the workspace with this name.
 *
 * @throws Error if there is none.
 */
export async function getWorkspace(deps: WorkspaceDeps, name: string): Promise<WorkspaceSummary> {
  const row = await acrossWorkspaces(deps, 'an operator names a workspace')
    .selectFrom('workspaces')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirst();
  if (!row) throw new Error(`There is no workspace ${name}. "workspaces list" shows them.`);
  return row;
}

/**
 * Puts a workspace on a plan, in force from its next request on.
 *
 * @throws Error if the workspace or the plan is unknown.
 */
export async function setPlan(
  deps: WorkspaceDeps,
  name: string,
  planName: string,
): Promise<WorkspaceSummary> {
  const { id } = await getWorkspace(deps, name);
  const plan = requirePlan(planName);
  await inTransaction(deps, async (tx) => {
    const workspaces = acrossWorkspaces(tx, 'an operator sets plans');
    const before = await workspaces
      .selectFrom('workspaces')
      .select('plan')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    await workspaces.updateTable('workspaces').set({ plan }).where('id', '=', id).execute();
    const act = { action: 'workspace.plan_changed', target: id, before: { ...before }, after: { plan } };
    await appendAudit(tx, id, operator, act);
  });
  return getWorkspace(deps, name);
}
