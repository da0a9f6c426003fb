import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AdminInput } from './commands.ts';
import type { KeyInput } from './key-commands.ts';
import { type Printing, runAndPrint, type Terminal } from './terminal.ts';

/** Adds the verbs that manage API keys. */
export function registerKeys(keys: Command, terminal: Terminal): void {
  withLimits(
    keys
      .command('create')
      .description('make a key and print it, the only time that it can be read')
      .option('--workspace <name>', 'whose key, by default that of the first workspace')
      .option('--name <name>', 'what it is for', 'unnamed'),
  ).action(({ inbox, ...options }: Options & { workspace?: string; name: string }) =>
    runAndPrint(terminal, 'keys create', { ...options, ...(inbox && { inboxes: inbox }) }),
  );
  keys
    .command('list')
    .description('show keys, what they are limited to, and when they were last used')
    .option('--workspace <name>', 'only keys of this workspace')
    .action((options: AdminInput<'keys list'>) => runAndPrint(terminal, 'keys list', options));
  withLimits(
    keys
      .command('update <id>')
      .description('change the name or the limits of a key, from now on')
      .option('--name <name>', 'what it is for')
      .option('--all-inboxes', 'no longer only some inboxes')
      .option('--no-read-only', 'no longer only reading'),
  ).action(
    (id: string, { inbox, allInboxes, ...options }: Options & { name?: string; allInboxes?: boolean }) =>
      runAndPrint(terminal, 'keys update', {
        id,
        ...options,
        ...(inbox && { inboxes: inbox }),
        ...(allInboxes && { inboxes: null }),
      }),
  );
  keys
    .command('revoke <id>')
    .description(
      'refuse a key from the next request on, and stop what it had set up: webhooks and scheduled drafts',
    )
    .addOption(new Option('--keep', 'let its webhooks and scheduled drafts go on').conflicts('disable'))
    .addOption(
      new Option('--disable', 'disable its webhooks and take the time from its drafts, as without an answer'),
    )
    .action((id: string, { keep = false, json }: Printing & { keep?: boolean }) =>
      runAndPrint(terminal, 'keys revoke', { id, keep, ...(json && { json }) }),
    );
}

type Options = Omit<KeyInput, 'inboxes'> & { inbox?: string[] };

function withLimits(command: Command): Command {
  return command
    .option('--inbox <address...>', 'only these inboxes, by address or id: nothing else exists for the key')
    .option('--read-only', 'changes nothing and sends nothing')
    .option('--expires <when>', 'a time, a number of days such as 30d, or never')
    .option(
      '--policy <lines>',
      'such as send=approve,per_hour=10, in place of all lines before; "none" removes it',
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
    else throw new InvalidArgumentError('Lines such as send=approve,per_hour=10 are expected.');
  }
  return Object.fromEntries([...lines].map(([name, values]) => [name, lineOf(name, values)]));
}

function lineOf(name: string, values: string[]): unknown {
  const [first = ''] = values;
  if (name === 'recipients') return /^(anyone|known)$/.test(first) && values.length === 1 ? first : values;
  if (values.length > 1) throw new InvalidArgumentError(`${name} takes one value.`);
  return /^\d{1,9}$/.test(first) ? Number(first) : first;
}
