import { PolicyIn } from '@postrider/contract';
import { operator } from '../audit/append-audit.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { firstWorkspaceName } from '../keys/bootstrap.ts';
import { findKey } from '../keys/manage-keys.ts';
import { ApiError } from '../lib/api-error.ts';
import { listPauses, type PausePlace, pause, resume, wholeServer } from '../policies/pause.ts';
import { setPolicy } from '../policies/set-policy.ts';
import { type PolicyPlace, policyAt } from '../policies/store-policy.ts';
import { getWorkspace } from '../workspaces/manage-workspaces.ts';
import type { AdminDeps } from './admin-deps.ts';
import { initCareful } from './init-careful.ts';

/** What a command is about: an inbox by its address or id, a key by its id, or else a workspace. */
export interface Place {
  workspace?: string;
  inbox?: string;
  key?: string;
}

/** The commands by which people control what is sent. The audit log says that the operator ran them. */
export const controlCommands = {
  'policy show': async (deps: AdminDeps, input: Place) => policyAt(deps, await placeOf(deps, input)),
  'policy set': async (deps: AdminDeps, input: Place & { lines: Record<string, unknown> }) => {
    const place = await placeOf(deps, input);
    const lines = { ...(await policyAt(deps, place)), ...readLines(input.lines) };
    const set = await explained(setPolicy(deps, place, lines, operator));
    const warning = place.level === 'inbox' ? await warnOfOthers(deps, place.workspaceId) : null;
    return {
      ...set.lines,
      ...(set.heldWebhooks.length > 0 && { held_webhooks: set.heldWebhooks }),
      ...(warning && { warning }),
    };
  },
  'policy clear': async (deps: AdminDeps, input: Place) =>
    (await explained(setPolicy(deps, await placeOf(deps, input), {}, operator))).lines,
  pause: async (deps: AdminDeps, input: Place & { server?: boolean; reason?: string }) => {
    const { underWay } = await explained(
      pause(deps, await pausePlaceOf(deps, input), input.reason ?? null, operator),
    );
    return { paused: true, under_way: underWay };
  },
  resume: async (deps: AdminDeps, input: Place & { server?: boolean }) => ({
    resumed: await resume(deps, await pausePlaceOf(deps, input), operator),
  }),
  'init careful': (deps: AdminDeps, input: { workspace?: string }) => initCareful(deps, input),
  'pause list': (deps: AdminDeps) => listPauses(deps, null),
};

const notBound =
  'Keys that are not limited to inboxes may create another inbox, which this policy does not bind. Limit them with "keys update <id> --inbox <address>", or set the policy of the workspace or of the key.';

/** Warns of keys that can pass by the policy of an inbox, by an inbox that they create. */
async function warnOfOthers(deps: AdminDeps, workspaceId: string): Promise<string | null> {
  const { count } = await acrossWorkspaces(deps, 'an operator sees all keys')
    .selectFrom('api_keys')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('revoked_at', 'is', null)
    .where('inbox_ids', 'is', null)
    .where('read_only', '=', false)
    .executeTakeFirstOrThrow();
  return count > 0 ? notBound : null;
}

async function pausePlaceOf(deps: AdminDeps, input: Place & { server?: boolean }): Promise<PausePlace> {
  if (!input.server) return placeOf(deps, input);
  requireOnePlace({ ...input });
  return wholeServer;
}

/** Otherwise somebody could believe that all of them are paused. */
function requireOnePlace(place: Record<string, unknown>): void {
  const named = ['server', 'workspace', 'inbox', 'key'].filter((name) => place[name] !== undefined);
  if (named.length <= 1) return;
  throw new Error(`Name one place at a time, not ${named.map((name) => `--${name}`).join(' and ')}.`);
}

async function placeOf(deps: AdminDeps, { workspace, inbox, key }: Place): Promise<PolicyPlace> {
  requireOnePlace({ workspace, inbox, key });
  if (key !== undefined) return placeOfKey(deps, key);
  if (inbox !== undefined) return placeOfInbox(deps, inbox);
  const { id } = await getWorkspace(deps, workspace ?? firstWorkspaceName);
  return { workspaceId: id, level: 'workspace', subjectId: id };
}

async function placeOfKey(deps: AdminDeps, id: string): Promise<PolicyPlace> {
  return { workspaceId: (await findKey(deps, id)).workspaceId, level: 'key', subjectId: id };
}

async function placeOfInbox(deps: AdminDeps, text: string): Promise<PolicyPlace> {
  const row = await acrossWorkspaces(deps, 'an operator sees all inboxes')
    .selectFrom('inboxes')
    .select(['workspace_id', 'id'])
    .where('deleted_at', 'is', null)
    .where(text.includes('@') ? 'address' : 'id', '=', text.toLowerCase())
    .executeTakeFirst();
  if (!row) throw new Error(`There is no inbox ${text}.`);
  return { workspaceId: row.workspace_id, level: 'inbox', subjectId: row.id };
}

/**
 * Returns the lines of a policy.
 *
 * @throws Error that says what is wrong with them.
 */
export function readLines(lines: Record<string, unknown>): PolicyIn {
  const read = PolicyIn.safeParse(lines);
  if (read.success) return read.data;
  throw new Error(read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
}

/** Turns an error of the API into a sentence for the terminal. */
export async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ApiError ? new Error(error.message) : error;
  }
}
