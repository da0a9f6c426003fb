import { type Plan, plans } from '@postrider/contract';
import { sql } from 'kysely';
import { type AuditActor, appendAudit, operator } from '../audit/append-audit.ts';
import { inTransaction } from '../db/connections.ts';
import { isUniqueViolation } from '../db/database-errors.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { isId, newId } from '../lib/ids.ts';
import { settingNames } from '../lib/start/start-error.ts';

/** A workspace as operators see it. */
export interface WorkspaceSummary {
  id: string;
  name: string;
  /** The name that its owners gave it. */
  title: string;
  plan: Plan;
  is_test: boolean;
  created_at: Date;
  deleted_at: Date | null;
}

/** A workspace with the time at which a worker continues to remove its data; null if it was not deleted, or if nothing is left. */
export interface KnownWorkspace extends WorkspaceSummary {
  purge_at: Date | null;
}

/** A change of a workspace that is refused, in a sentence for the operator. */
export class RefusedChange extends Error {
  override readonly name = 'RefusedChange';
}

type WorkspaceDeps = Pick<Deps, 'db' | 'clock'>;

function isPlan(plan: string): plan is Plan {
  return Object.hasOwn(plans, plan);
}

function requirePlan(plan: string): Plan {
  if (isPlan(plan)) return plan;
  throw new Error(`There is no plan ${plan}. The plans are ${Object.keys(plans).join(', ')}.`);
}

const nameCharactersMax = 100;

function requireName(name: string): void {
  if (name.length === 0 || name.length > nameCharactersMax)
    throw new Error(`The name of a workspace has 1 to ${nameCharactersMax} characters.`);
}

/**
 * Creates a workspace. Returns null if the name is taken.
 *
 * @throws Error if there is no such plan, or the name is empty or too long.
 */
export async function createWorkspace(
  deps: WorkspaceDeps,
  { name, plan: planName, isTest }: { name: string; plan: string; isTest: boolean },
): Promise<WorkspaceSummary | null> {
  requireName(name);
  const plan = requirePlan(planName);
  const created_at = deps.clock.now();
  const row = await acrossWorkspaces(deps, 'an operator makes workspaces')
    .insertInto('workspaces')
    .values({ id: newId('wsp', created_at), name, title: name, plan, is_test: isTest, created_at })
    .onConflict((conflict) => conflict.column('name').where('deleted_at', 'is', null).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Returns all workspaces, oldest first; also those that were deleted, as long as their audit logs are kept. */
export async function listWorkspaces(deps: WorkspaceDeps): Promise<KnownWorkspace[]> {
  return acrossWorkspaces(deps, 'an operator sees all workspaces')
    .selectFrom('workspaces')
    .selectAll()
    .orderBy('id')
    .execute();
}

/**
 * Returns the workspace with this name, which was not deleted.
 *
 * @throws Error if there is none.
 */
export async function getWorkspace(deps: WorkspaceDeps, name: string): Promise<WorkspaceSummary> {
  const row = await acrossWorkspaces(deps, 'an operator names a workspace')
    .selectFrom('workspaces')
    .selectAll()
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw noWorkspace(name);
  return row;
}

/**
 * Returns the workspace with this name or id; by its id also one that was deleted and whose audit log is kept.
 *
 * @throws Error if there is none.
 */
export async function findLogged(deps: WorkspaceDeps, named: string): Promise<WorkspaceSummary> {
  if (!isId('wsp', named)) return getWorkspace(deps, named);
  const rows = acrossWorkspaces(deps, 'an operator names a workspace').selectFrom('workspaces').selectAll();
  const row = await rows.where('id', '=', named).executeTakeFirst();
  if (!row) throw noWorkspace(named);
  return row;
}

/** The error about a workspace that is not there. */
export function noWorkspace(name: string): Error {
  return new RefusedChange(`There is no workspace ${name}. "workspaces list" shows them.`);
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
  actor: AuditActor = operator,
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
    await appendAudit(tx, id, actor, act);
  });
  return getWorkspace(deps, name);
}

/**
 * Changes the name of a workspace, by which the command line knows it from then on. A title that equals the former name changes, too.
 *
 * @throws Error if the workspace is deleted, if the new name is taken, empty or too long, or if the configuration names either.
 */
export async function renameWorkspace(
  deps: WorkspaceDeps & Pick<Deps, 'config'>,
  { id, name }: Pick<WorkspaceSummary, 'id' | 'name'>,
  newName: string,
  actor: AuditActor = operator,
): Promise<WorkspaceSummary> {
  requireName(newName);
  for (const one of [name, newName]) requireNotConfigured(deps, one);
  return inTransaction(deps, async (tx) => {
    const workspaces = acrossWorkspaces(tx, 'an operator renames workspaces');
    const row = await workspaces
      .updateTable('workspaces')
      .set({ name: newName, title: sql`case when title = name then ${newName} else title end` })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
      .catch((error: unknown) => {
        throw isUniqueViolation(error)
          ? new RefusedChange(`There is already a workspace ${newName}.`)
          : error;
      });
    if (!row) throw noWorkspace(name);
    const act = { action: 'workspace.renamed', target: id, before: { name }, after: { name: newName } };
    if (newName !== name) await appendAudit(tx, id, actor, act);
    return row;
  });
}

/** Checks that the configuration does not name a workspace, because the next start would create it again. @throws Error if it does. */
export function requireNotConfigured({ config }: Pick<Deps, 'config'>, name: string): void {
  if (!config.bootstrap?.some((entry) => entry.name === name)) return;
  throw new RefusedChange(
    `${settingNames.bootstrap} names the workspace ${name}: take it out of there, and start the server again, first.`,
  );
}
