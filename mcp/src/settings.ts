/*
 * Reads the settings of the person who starts the server. An invalid value ends the program, because a safety option that is ignored is
 * worse than none.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isAddress, isDomain } from '@postrider/contract';
import { type ToolName, toolNames } from './tools/tool-names.ts';

/** The limits of the tools. */
export interface Settings {
  /** Only tools that change nothing. */
  readOnly: boolean;
  /** Tools that send create drafts for a person to send. */
  draftsOnly: boolean;
  /** Only these tools; null for all. */
  tools: ToolName[] | null;
  /** Only these inboxes, by id or address; null for all. */
  inboxes: string[] | null;
  /** Mail goes only to these addresses and domains; null for all. */
  recipients: string[] | null;
  /** The folder whose files may be attached by their path; null for none. */
  attachments: string | null;
}

/** Everything is allowed, and no file of this machine is read. */
export const openSettings: Settings = {
  readOnly: false,
  draftsOnly: false,
  tools: null,
  inboxes: null,
  recipients: null,
  attachments: null,
};

/** Whether a draft can be scheduled: only if drafts can be sent at all, and to anyone. */
export function maySchedule({ draftsOnly, recipients, tools }: Settings): boolean {
  return !draftsOnly && recipients === null && (tools === null || tools.includes('send_draft'));
}

/** An invalid command line. The message is for the person who wrote it. */
export class SettingsError extends Error {}

/** The options of the command line. */
export type Command = { kind: 'serve'; settings: Settings } | { kind: 'help' } | { kind: 'version' };

const options = {
  'read-only': { type: 'boolean' },
  'drafts-only': { type: 'boolean' },
  tools: { type: 'string', multiple: true },
  inbox: { type: 'string', multiple: true },
  'allow-recipient': { type: 'string', multiple: true },
  attachments: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/**
 * Returns the settings of a command line.
 *
 * @throws SettingsError if an option or its value is unknown, empty or given twice.
 */
export function readCommand(args: string[]): Command {
  const values = parse(args);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  const settings: Settings = {
    readOnly: values['read-only'] ?? false,
    draftsOnly: values['drafts-only'] ?? false,
    tools: readList('tools', values.tools, readTool),
    inboxes: readList('inbox', values.inbox, readInbox),
    recipients: readList('allow-recipient', values['allow-recipient'], readRecipient),
    attachments: values.attachments === undefined ? null : readFolder(values.attachments),
  };
  return { kind: 'serve', settings };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new SettingsError((error as Error).message.split('. ')[0]);
  }
}

/** The settings that a URL can have. A remote client has no folder here. */
const queryNames = new Set(['read-only', 'drafts-only', 'tools', 'inbox', 'allow-recipient']);

/**
 * Returns the settings of a URL, such as `?drafts-only&inbox=support@example.com`.
 *
 * @throws SettingsError if a name or a value is unknown, empty or given twice.
 */
export function readSettings(query: URLSearchParams): Settings {
  const unknown = [...query.keys()].find((name) => !queryNames.has(name));
  if (unknown !== undefined) throw new SettingsError(`There is no option ${unknown}.`);
  const all = (name: string) => (query.has(name) ? query.getAll(name) : undefined);
  return {
    readOnly: readFlag('read-only', all('read-only')),
    draftsOnly: readFlag('drafts-only', all('drafts-only')),
    tools: readList('tools', all('tools'), readTool),
    inboxes: readList('inbox', all('inbox'), readInbox),
    recipients: readList('allow-recipient', all('allow-recipient'), readRecipient),
    attachments: null,
  };
}

function readFlag(name: string, given: string[] | undefined): boolean {
  if (given === undefined) return false;
  if (given.length === 1 && (given[0] === '' || given[0] === 'true')) return true;
  throw new SettingsError(`${name} takes no value, and can be given only once.`);
}

/** Returns the values of an option that takes a list, separated by commas or given several times. */
function readList<T>(name: string, given: string[] | undefined, read: (text: string) => T): T[] | null {
  if (given === undefined) return null;
  const texts = given.flatMap((text) => text.split(',')).map((text) => text.trim());
  if (texts.includes('')) throw new SettingsError(`--${name} has an empty value.`);
  return [...new Set(texts.map(read))];
}

/** Returns the name of a tool. */
function readTool(text: string): ToolName {
  const name = toolNames.find((one) => one === text);
  if (name === undefined)
    throw new SettingsError(`--tools: there is no tool ${text}. The tools are ${toolNames.join(', ')}.`);
  return name;
}

/** Returns the id or the address of an inbox. */
function readInbox(text: string): string {
  const lower = text.toLowerCase();
  if (!/^inb_[0-9a-z]{26}$/.test(lower) && !isAddress(lower))
    throw new SettingsError(`--inbox: ${text} is neither the id nor the address of an inbox.`);
  return lower;
}

/** Returns an address, or a domain, which stands for all of its addresses. */
function readRecipient(text: string): string {
  const lower = text.toLowerCase().replace(/^@/, '');
  if (!isAddress(lower) && !isDomain(lower))
    throw new SettingsError(`--allow-recipient: ${text} is neither an address nor a domain.`);
  return lower;
}

function readFolder([text = '', ...more]: string[]): string {
  if (more.length > 0) throw new SettingsError('--attachments is given twice.');
  const folder = resolve(text);
  if (text === '' || !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new SettingsError(
      `--attachments: ${text === '' ? 'the value is empty' : `${text} is not a folder`}.`,
    );
  return folder;
}
