import type { Command } from 'commander';
import { operator } from '../audit/append-audit.ts';
import { onControlConnection } from '../db/connections.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { findKey } from '../keys/manage-keys.ts';
import { ApiError, isApiError } from '../lib/api-error.ts';
import { listPauses, type PausePlace, pause, resume, wholeServer } from '../policies/pause.ts';
import type { PolicyPlace } from '../policies/set-policy.ts';
import { type AdminDeps, type Printing, runAndPrint, type Terminal } from './command.ts';
import { byDefault, findNamed } from './named-workspace.ts';

/** The place that a command is about: an inbox by its address or id, a key by its id, or else a workspace. */
export interface Place {
  workspace?: string;
  inbox?: string;
  key?: string;
}

/** The commands about pauses. The audit log says that the operator ran them. */
export const controlCommands = {
  pause: atOnce(async (deps, input: Place & { server?: boolean; reason?: string }) => {
    const { underWay } = await explained(
      pause(deps, await findPausePlace(deps, input), input.reason ?? null, operator),
    );
    return { paused: true, under_way: underWay };
  }),
  resume: atOnce(async (deps, input: Place & { server?: boolean }) => ({
    resumed: await resume(deps, await findPausePlace(deps, input), operator),
  })),
  'pause list': atOnce((deps, _input: object) => listPauses(deps, null)),
};

/** Adds the verbs about pauses. */
export function registerControl(program: Command, terminal: Terminal): void {
  withPlace(program.command('pause').description('stop all sending at once'))
    .option('--server', 'the whole server', false)
    .option('--reason <text>', 'the reason that people see')
    .action((input) => runAndPrint(terminal, controlCommands.pause, input));
  withPlace(program.command('resume').description('end a pause; waiting mail is then sent'))
    .option('--server', 'the whole server', false)
    .action((input) => runAndPrint(terminal, controlCommands.resume, input));
  program
    .command('pauses')
    .description('show what is paused')
    .action((options: Printing) => runAndPrint(terminal, controlCommands['pause list'], options));
}

/** Adds the options that name a place. */
export function withPlace(command: Command): Command {
  return command
    .option('--workspace <name>', byDefault)
    .option('--inbox <address>', 'the address or the id of an inbox')
    .option('--key <id>', 'the id of a key');
}

/** Runs a command on its own connection, so that a command that stops callers does not wait behind them. */
export function atOnce<Input, Result>(command: (deps: AdminDeps, input: Input) => Promise<Result>) {
  return (deps: AdminDeps, input: Input): Promise<Result> => onControlConnection(() => command(deps, input));
}

/** Turns an error of the API into a sentence for the terminal. */
export async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ApiError ? new Error(describe(error)) : error;
  }
}

function describe(error: ApiError): string {
  if (!isApiError(error, 'invalid_request')) return error.message;
  return error.extra.issues.map(({ path, message }) => `${path}: ${message}`).join('\n');
}

async function findPausePlace(deps: AdminDeps, input: Place & { server?: boolean }): Promise<PausePlace> {
  if (!input.server) return findPlace(deps, input);
  requireOnePlace({ ...input });
  return wholeServer;
}

/** Refuses several places: somebody could believe that all of them are paused. */
function requireOnePlace(place: Record<string, unknown>): void {
  const named = ['server', 'workspace', 'inbox', 'key'].filter((name) => place[name] !== undefined);
  if (named.length <= 1) return;
  throw new Error(`Give only one of ${named.map((name) => `--${name}`).join(' and ')}.`);
}

/**
 * Returns the place that a command names.
 *
 * @throws Error if there is no such place.
 */
export async function findPlace(deps: AdminDeps, { workspace, inbox, key }: Place): Promise<PolicyPlace> {
  requireOnePlace({ workspace, inbox, key });
  if (key !== undefined) return findKeyPlace(deps, key);
  if (inbox !== undefined) return findInboxPlace(deps, inbox);
  const { id } = await findNamed(deps, workspace);
  return { workspaceId: id, level: 'workspace', subjectId: id };
}

async function findKeyPlace(deps: AdminDeps, id: string): Promise<PolicyPlace> {
  return { workspaceId: (await findKey(deps, id)).workspaceId, level: 'key', subjectId: id };
}

async function findInboxPlace(deps: AdminDeps, text: string): Promise<PolicyPlace> {
  const row = await acrossWorkspaces(deps, 'an operator sees all inboxes')
    .selectFrom('inboxes')
    .select(['workspace_id', 'id'])
    .where('deleted_at', 'is', null)
    .where(text.includes('@') ? 'address' : 'id', '=', text.toLowerCase())
    .executeTakeFirst();
  if (!row) throw new Error(`There is no inbox ${text}.`);
  return { workspaceId: row.workspace_id, level: 'inbox', subjectId: row.id };
}
