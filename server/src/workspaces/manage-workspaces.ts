import { type Plan, plans } from '@postrider/contract';
import { sql } from 'kysely';
import { type AuditActor, appendAudit, changedFields, operator } from '../audit/append-audit.ts';
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

/** The error about a workspace that is not there. */
export class UnknownWorkspace extends RefusedChange {
  constructor(name: string) {
    super(`There is no workspace ${name}. "workspaces list" shows them.`);
  }
}

type WorkspaceDeps = Pick<Deps, 'db' | 'clock'>;

const shown = ['id', 'name', 'title', 'plan', 'is_test', 'created_at', 'deleted_at'] as const;

function isPlan(plan: string): plan is Plan {
  return Object.hasOwn(plans, plan);
}

function requirePlan(plan: string): Plan {
  if (isPlan(plan)) return plan;
  throw new Error(`There is no plan ${plan}. The plans are ${Object.keys(plans).join(', ')}.`);
}

const nameCharactersMax = 100;

function requireName(name: string): string {
  if (name.length > 0 && name.length <= nameCharactersMax) return name;
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
    .returning(shown)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns all workspaces, oldest first; also those that were deleted, as long as their audit logs are kept. */
export async function listWorkspaces(deps: WorkspaceDeps): Promise<KnownWorkspace[]> {
  return acrossWorkspaces(deps, 'an operator sees all workspaces')
    .selectFrom('workspaces')
    .select([...shown, 'purge_at'])
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
    .select(shown)
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw new UnknownWorkspace(name);
  return row;
}

/**
 * Returns the workspace with this name or id; by its id also one that was deleted and whose audit log is kept.
 *
 * @throws Error if there is none.
 */
export async function findLogged(deps: WorkspaceDeps, named: string): Promise<WorkspaceSummary> {
  if (!isId('wsp', named)) return getWorkspace(deps, named);
  const rows = acrossWorkspaces(deps, 'an operator names a workspace').selectFrom('workspaces').select(shown);
  const row = await rows.where('id', '=', named).executeTakeFirst();
  if (!row) throw new UnknownWorkspace(named);
  return row;
}

/** A change of a workspace. Fields that are left out stay. */
interface WorkspaceChange {
  name?: string | undefined;
  plan?: string | undefined;
}

/**
 * Gives a workspace another plan, or another name, by which the command line knows it from then on. Both hold from its next request on. A
 * title that is still the former name becomes the new one.
 *
 * @throws UnknownWorkspace if the workspace is gone.
 * @throws Error if there is no such plan, if the new name is taken, empty or too long, or if the configuration names it or the former one.
 */
export async function changeWorkspace(
  deps: WorkspaceDeps & Pick<Deps, 'config'>,
  place: Pick<WorkspaceSummary, 'id' | 'name'>,
  { name, plan }: WorkspaceChange,
  actor: AuditActor = operator,
): Promise<WorkspaceSummary> {
  const given = {
    ...(name !== undefined && { name: requireName(name) }),
    ...(plan !== undefined && { plan: requirePlan(plan) }),
  };
  return inTransaction(deps, async (tx) => {
    const before = await lockNamed(tx, place);
    if (name !== undefined) for (const one of [before.name, name]) requireNotConfigured(deps, one);
    const row = await store(tx, place.id, { ...before, ...given });
    for (const [action, field] of [
      ['workspace.renamed', 'name'],
      ['workspace.plan_changed', 'plan'],
    ] as const) {
      const changed = changedFields({ [field]: before[field] }, { [field]: row[field] });
      if (changed) await appendAudit(tx, row.id, actor, { action, target: row.id, ...changed });
    }
    return row;
  });
}

async function lockNamed(tx: WorkspaceDeps, { id, name }: Pick<WorkspaceSummary, 'id' | 'name'>) {
  const row = await acrossWorkspaces(tx, 'an operator changes workspaces')
    .selectFrom('workspaces')
    .select(['name', 'plan'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new UnknownWorkspace(name);
  return row;
}

function store(
  tx: WorkspaceDeps,
  id: string,
  { name, plan }: Pick<WorkspaceSummary, 'name' | 'plan'>,
): Promise<WorkspaceSummary> {
  return acrossWorkspaces(tx, 'an operator changes workspaces')
    .updateTable('workspaces')
    .set({ name, plan, title: sql<string>`case when title = name then ${name} else title end` })
    .where('id', '=', id)
    .returning(shown)
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new RefusedChange(`There is already a workspace ${name}.`) : error;
    });
}

/**
 * Checks that the configuration does not name a workspace, because the next start would create it again.
 *
 * @throws Error if it does.
 */
export function requireNotConfigured({ config }: Pick<Deps, 'config'>, name: string): void {
  if (!config.bootstrap?.some((entry) => entry.name === name)) return;
  throw new RefusedChange(
    `${settingNames.bootstrap} names the workspace ${name}: take it out of there, and start the server again, first.`,
  );
}
