import { type Command, InvalidArgumentError, Option } from 'commander';
import { operator } from '../audit/append-audit.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { changeKey, type KeyLimits } from '../keys/change-key.ts';
import { createKey, findKey, listKeys, revokeKey } from '../keys/manage-keys.ts';
import { cancelDeliveries } from '../webhooks/end-deliveries.ts';
import { type AdminDeps, type Printing, runAndPrint, type Terminal } from './command.ts';
import { explained } from './control.ts';
import { byDefault, findNamed } from './named-workspace.ts';
import { readLines } from './policy.ts';

/** The limits of a key, as people write them. */
interface KeyInput {
  /** Ids or addresses; null for all inboxes. */
  inboxes?: string[] | null;
  readOnly?: boolean;
  /** A time, a number of days such as `30d`, or `never`. */
  expires?: string;
  policy?: Record<string, unknown>;
}

/** The commands by which operators manage API keys. The audit log says that the operator ran them. */
export const keyCommands = {
  'keys create': async (deps: AdminDeps, input: KeyInput & { workspace?: string; name: string }) => {
    const { id: workspaceId, name } = await findNamed(deps, input.workspace);
    const limits = await readLimits(deps, workspaceId, input);
    return explained(createKey(deps, name, input.name, operator, limits));
  },
  'keys list': (deps: AdminDeps, input: { workspace?: string }) => listKeys(deps, input.workspace),
  'keys update': async (deps: AdminDeps, input: KeyInput & { id: string; name?: string }) => {
    const place = await findKey(deps, input.id);
    const limits = await readLimits(deps, place.workspaceId, input);
    const { name } = input;
    const change = { ...limits, ...(name !== undefined && { name }) };
    const { heldWebhooks } = await explained(changeKey(deps, place, change, operator));
    const key = (await listKeys(deps)).find(({ id }) => id === input.id);
    return { ...key, ...(heldWebhooks.length > 0 && { held_webhooks: heldWebhooks }) };
  },
  'keys revoke': async (deps: AdminDeps, { id, keep }: { id: string; keep?: boolean }) => {
    const ended = await revokeKey(deps, id, operator, keep);
    if (ended && !ended.kept) for (const webhook of ended.webhooks) await cancelDeliveries(deps, webhook.id);
    return { id, revoked: true, ...ended };
  },
};

async function readLimits(
  deps: AdminDeps,
  workspaceId: string,
  { inboxes, readOnly, expires, policy }: KeyInput,
): Promise<Partial<KeyLimits>> {
  return {
    ...(inboxes !== undefined && { inboxIds: inboxes && (await findInboxIds(deps, workspaceId, inboxes)) }),
    ...(readOnly !== undefined && { readOnly }),
    ...(expires !== undefined && { expiresAt: readExpiry(expires, deps.clock.now()) }),
    ...(policy !== undefined && { policy: readLines(policy) }),
  };
}

async function findInboxIds(deps: AdminDeps, workspaceId: string, named: string[]): Promise<string[]> {
  const rows = await acrossWorkspaces(deps, 'an operator sees all inboxes')
    .selectFrom('inboxes')
    .select(['id', 'address'])
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .where((is) => is.or([is('id', 'in', named), is('address', 'in', named.map(lower))]))
    .execute();
  return named.map((text) => {
    const row = rows.find(({ id, address }) => id === text || address === lower(text));
    if (!row) throw new Error(`The workspace of the key has no inbox ${text}.`);
    return row.id;
  });
}

function lower(text: string): string {
  return text.toLowerCase();
}

const dayMs = 24 * 60 * 60 * 1_000;
const isoTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/** Returns the time that a text names; null for `never`. */
export function readExpiry(text: string, now: Date): Date | null {
  if (text === 'never') return null;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const at =
    days === undefined
      ? new Date(isoTime.test(text) ? text : Number.NaN)
      : new Date(now.getTime() + Number(days) * dayMs);
  if (Number.isNaN(at.getTime()))
    throw new Error(
      `${text} is not a time: give one such as 2026-12-31T00:00:00Z, a number of days such as 30d, or never.`,
    );
  if (at <= now) throw new Error(`${text} is in the past. "keys revoke" ends a key now.`);
  return at;
}

/** Adds the verbs that manage API keys. */
export function registerKeys(keys: Command, terminal: Terminal): void {
  withLimits(
    keys
      .command('create')
      .description('create a key and print it; it cannot be shown again')
      .option('--workspace <name>', `the workspace of the key; ${byDefault}`)
      .option('--name <name>', 'the purpose of the key', 'unnamed'),
  ).action(({ inbox, ...options }: Options & { workspace?: string; name: string }) =>
    runAndPrint(terminal, keyCommands['keys create'], { ...options, ...(inbox && { inboxes: inbox }) }),
  );
  keys
    .command('list')
    .description('show keys, their limits, and when they were last used')
    .option('--workspace <name>', 'only keys of this workspace')
    .action((options: Printing & { workspace?: string }) =>
      runAndPrint(terminal, keyCommands['keys list'], options),
    );
  withLimits(
    keys
      .command('update <id>')
      .description('change the name or the limits of a key, with immediate effect')
      .option('--name <name>', 'the purpose of the key')
      .option('--all-inboxes', 'allow all inboxes again')
      .option('--no-read-only', 'allow changes and sending again'),
  ).action(
    (id: string, { inbox, allInboxes, ...options }: Options & { name?: string; allInboxes?: boolean }) =>
      runAndPrint(terminal, keyCommands['keys update'], {
        id,
        ...options,
        ...(inbox && { inboxes: inbox }),
        ...(allInboxes && { inboxes: null }),
      }),
  );
  keys
    .command('revoke <id>')
    .description('revoke a key with immediate effect, and stop its webhooks and scheduled drafts')
    .addOption(new Option('--keep', 'keep its webhooks and scheduled drafts').conflicts('disable'))
    .addOption(
      new Option('--disable', 'disable its webhooks and unschedule its drafts, which is the default'),
    )
    .action((id: string, { keep = false, json }: Printing & { keep?: boolean }) =>
      runAndPrint(terminal, keyCommands['keys revoke'], { id, keep, ...(json && { json }) }),
    );
}

type Options = Omit<KeyInput, 'inboxes'> & { inbox?: string[] };

function withLimits(command: Command): Command {
  return command
    .option('--inbox <address...>', 'only these inboxes, by address or id; others do not exist for the key')
    .option('--read-only', 'the key cannot change or send anything')
    .option('--expires <when>', 'a time, a number of days such as 30d, or never')
    .option(
      '--policy <lines>',
      'such as send=approve,per_hour=10; replaces all settings, and "none" removes them',
      readPolicyText,
    );
}

/** Returns the lines of a text. What has no name belongs to the list before it, as in `recipients=ada@example.com,example.org`. */
export function readPolicyText(text: string): Record<string, unknown> {
  if (text === 'none') return {};
  const lines = new Map<string, string[]>();
  for (const part of text.split(',').map((one) => one.trim())) {
    const [, name, value] = /^([a-z_]+)=(.+)$/.exec(part) ?? [];
    const last = [...lines.values()].at(-1);
    if (name !== undefined && value !== undefined) lines.set(name, [value]);
    else if (last && part !== '') last.push(part);
    else throw new InvalidArgumentError('Give settings such as send=approve,per_hour=10.');
  }
  return Object.fromEntries([...lines].map(([name, values]) => [name, readLine(name, values)]));
}

function readLine(name: string, values: string[]): unknown {
  const [first = ''] = values;
  if (name === 'recipients') return /^(anyone|known)$/.test(first) && values.length === 1 ? first : values;
  if (values.length > 1) throw new InvalidArgumentError(`${name} takes one value.`);
  return /^\d{1,9}$/.test(first) ? Number(first) : first;
}
