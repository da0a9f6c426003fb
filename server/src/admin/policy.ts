import { carefulPolicy, defaultPolicy, PolicyIn, type PolicyLine } from '@postrider/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { operator } from '../audit/append-audit.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { findStrictest } from '../policies/controls.ts';
import { policyAt, setPolicy } from '../policies/set-policy.ts';
import { type AdminDeps, type Printing, printLine, runAndPrint, type Terminal } from './command.ts';
import { atOnce, explained, findPlace, type Place, withPlace } from './control.ts';
import { byDefault, findNamed } from './named-workspace.ts';

/** The commands about policies. The audit log says that the operator ran them. */
export const policyCommands = {
  'policy show': atOnce(async (deps, input: Place) => policyAt(deps, await findPlace(deps, input))),
  'policy set': atOnce(async (deps, input: Place & { lines: Record<string, unknown> }) => {
    const place = await findPlace(deps, input);
    const lines = { ...(await policyAt(deps, place)), ...readLines(input.lines) };
    const set = await explained(setPolicy(deps, place, lines, operator));
    const warning = place.level === 'inbox' ? await warnOfOthers(deps, place.workspaceId) : null;
    return {
      ...set.lines,
      ...(set.heldWebhooks.length > 0 && { held_webhooks: set.heldWebhooks }),
      ...(warning && { warning }),
    };
  }),
  'policy clear': atOnce(
    async (deps, input: Place) =>
      (await explained(setPolicy(deps, await findPlace(deps, input), {}, operator))).lines,
  ),
  'init careful': atOnce(initCareful),
};

const notBound =
  'Keys that are not limited to inboxes can create another inbox, to which this policy does not apply. Limit them with "keys update <id> --inbox <address>", or set the policy of the workspace or of the key.';

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

/** Returns the settings of a policy. @throws Error that describes the problem. */
export function readLines(lines: Record<string, unknown>): PolicyIn {
  const read = PolicyIn.safeParse(lines);
  if (read.success) return read.data;
  throw new Error(read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
}

const caps = ['per-hour', 'per-day', 'per-thread-hour', 'per-recipient-day', 'recipients-max'] as const;

/** Adds the verbs about policies. */
export function registerPolicy(program: Command, terminal: Terminal): void {
  program
    .command('init')
    .description('set a policy for unattended agents')
    .option('--careful', 'limit sending to a few emails, and to people who have written before', false)
    .option('--workspace <name>', byDefault)
    .action(async ({ careful, ...options }: Printing & { careful: boolean; workspace?: string }) => {
      if (careful) return runAndPrint(terminal, policyCommands['init careful'], options);
      await printLine(terminal, initHelp);
    });
  const policy = program.command('policy').description('the limits on what keys can send');
  withPlace(policy.command('show').description('show the policy of a workspace, an inbox or a key')).action(
    (place: Place) => runAndPrint(terminal, policyCommands['policy show'], place),
  );
  const set = withPlace(policy.command('set').description('change settings of a policy'))
    .option('--send <mode>', 'allow, approve or never')
    .option('--recipients <who>', 'anyone, known, or addresses and domains, separated by commas');
  for (const cap of caps) set.option(`--${cap} <number>`, 'a number, or "any"', readCap);
  set.action(({ workspace, inbox, key, json, ...lines }: Place & Printing & Record<string, unknown>) =>
    runAndPrint(terminal, policyCommands['policy set'], {
      workspace,
      inbox,
      key,
      json,
      lines: toLines(lines),
    } as never),
  );
  withPlace(
    policy.command('clear').description('remove the policy of a workspace, an inbox or a key'),
  ).action((place: Place) => runAndPrint(terminal, policyCommands['policy clear'], place));
}

function readCap(text: string): number | 'any' {
  if (text === 'any') return text;
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A number or "any" is expected.');
  return Number(text);
}

function toLines({ recipients, ...options }: Record<string, unknown>): Record<string, unknown> {
  const lines = Object.entries(options).map(([name, value]) => [
    snakeCase(name),
    value === 'any' ? null : value,
  ]);
  const list = typeof recipients === 'string' && !['anyone', 'known'].includes(recipients);
  const who = list ? (recipients as string).split(',').map((one) => one.trim()) : recipients;
  return { ...Object.fromEntries(lines), ...(recipients !== undefined && { recipients: who }) };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The text of `init` without a choice. */
const initHelp: string = [
  '"init --careful" sets a policy for unattended agents, in the workspace that --workspace names or in the default one:',
  ...Object.entries(carefulPolicy).map(([line, value]) => `  ${line.padEnd(18)}${value}`),
  'Without a policy, keys can send to anyone, without limits. Nothing else needs to be set up: "start" does the rest.',
].join('\n');

/**
 * Gives a workspace the careful policy. A stricter setting of people is kept. Returns what was set and how to change it.
 *
 * @throws Error if there is no such workspace.
 */
async function initCareful(deps: AdminDeps, { workspace }: { workspace?: string }): Promise<string> {
  const { id, name } = await findNamed(deps, workspace);
  const place = { workspaceId: id, level: 'workspace', subjectId: id } as const;
  const before = await policyAt(deps, place);
  const { policy } = findStrictest([
    { level: 'workspace', lines: before },
    { level: 'key', lines: carefulPolicy },
  ]);
  const { heldWebhooks } = await setPolicy(deps, place, policy, operator);
  const lines = Object.keys(carefulPolicy) as PolicyLine[];
  return [
    `The policy of the workspace ${name}, which applies to all its keys and inboxes:`,
    ...lines.map((line) =>
      `  ${line.padEnd(18)}${String(policy[line]).padEnd(10)}${describeChange(line, before, policy)}`.trimEnd(),
    ),
    'A message counts as one email for each of its recipients. "known" are people who have written to the inbox, and addresses of outbound allow rules.',
    'Its keys can no longer create webhooks or domains; owners can, in the console.',
    ...heldWebhooks.map(
      ({ id, url, key_name }) => `The webhook ${id} of the key ${key_name} stays active: it posts to ${url}`,
    ),
    'Change a setting with "policy set --per-hour 50", remove all with "policy clear", and stop everything with "pause".',
  ].join('\n');
}

/** Says what becomes of a line that people have set before. */
function describeChange(line: PolicyLine, before: PolicyIn, after: PolicyIn): string {
  const was = before[line] ?? defaultPolicy[line];
  if (String(was) !== String(after[line])) return before[line] === undefined ? '' : `it was ${was}`;
  return String(was) === String(carefulPolicy[line]) ? '' : 'stays, because it is stricter';
}
