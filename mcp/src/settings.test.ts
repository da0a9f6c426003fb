import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSettings, readCommand, readSettings, SettingsError } from './settings.ts';

const settingsWith = (...args: string[]) => {
  const command = readCommand(args);
  return command.kind === 'serve' ? command.settings : command.kind;
};

describe('the command line', () => {
  it('allows everything by default, and no file of the machine', () => {
    expect(settingsWith()).toEqual(openSettings);
  });

  it('takes lists by commas and by naming an option again', () => {
    const args = ['--tools', 'get_message,list_threads', '--tools=get_message', '--inbox', 'Ada@Example.com'];
    expect(settingsWith(...args, '--allow-recipient', '@example.com,bob@other.test')).toEqual({
      ...openSettings,
      tools: ['get_message', 'list_threads'],
      inboxes: ['ada@example.com'],
      recipients: ['example.com', 'bob@other.test'],
    });
  });

  it('takes flags, a folder, and asks for help', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-settings-'));
    const settings = settingsWith('--read-only', '--drafts-only', '--attachments', folder);
    expect(settings).toMatchObject({ readOnly: true, draftsOnly: true, attachments: folder });
    expect(settingsWith('--help')).toBe('help');
    expect(settingsWith('-v')).toBe('version');
  });

  it.each([
    ['an unknown option', '--readonly'],
    ['an unknown tool', '--tools', 'get_mail'],
    ['an empty list', '--tools', ''],
    ['an empty item', '--inbox', 'ada@example.com,'],
    ['no value', '--allow-recipient'],
    ['an inbox that is none', '--inbox', 'ada'],
    ['a recipient that is none', '--allow-recipient', 'not an address'],
    ['a value of a flag', '--read-only=false'],
    ['a value of its own', 'serve'],
    ['a folder that is not there', '--attachments', '/nowhere/at/all'],
    ['an empty folder', '--attachments', ''],
  ])('refuses %s', (_, ...args) => {
    expect(() => readCommand(args)).toThrow(SettingsError);
  });
});

describe('the URL', () => {
  const of = (query: string) => readSettings(new URLSearchParams(query));

  it('has the same settings', () => {
    expect(of('')).toEqual(openSettings);
    expect(of('read-only&drafts-only=true&tools=get_message&inbox=ada@example.com')).toEqual({
      ...openSettings,
      readOnly: true,
      draftsOnly: true,
      tools: ['get_message'],
      inboxes: ['ada@example.com'],
    });
  });

  it.each([
    'readonly',
    'read-only=false',
    'read-only&read-only',
    'tools=',
    'tools=x',
    'attachments=/',
    'inbox=ada',
  ])('refuses %s', (query) => {
    expect(() => of(query)).toThrow(SettingsError);
  });
});
