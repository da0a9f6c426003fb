import type { AuditEntry } from '@postrider/contract/console';
import { expect, test } from 'vitest';
import { describeEntry, listChanges, nameActor } from './describe-entry.ts';

const entry: AuditEntry = {
  workspace_id: 'wsp_1',
  seq: 1,
  id: 'aud_1',
  at: '2026-11-20T09:30:00.000Z',
  actor: { kind: 'person', id: 'psn_1', name: 'Ada' },
  action: 'member.role_changed',
  target: 'psn_2',
  before: { role: 'member' },
  after: { role: 'owner' },
  address: null,
  request_id: null,
  previous_hash: '0'.repeat(64),
  hash: 'a'.repeat(64),
};
const nobody = () => null;

test('a sentence has the names of people in the workspace, and otherwise their ids', () => {
  expect(describeEntry(entry, (id) => (id === 'psn_2' ? 'Grace' : null))).toBe(
    'Changed the role of Grace from member to owner',
  );
  expect(describeEntry(entry, nobody)).toBe('Changed the role of psn_2 from member to owner');
});

test('somebody who left is called by the address of that time', () => {
  const actor = { kind: 'person' as const, id: 'usr_2', name: 'grace@people.example' };
  const signedIn = {
    ...entry,
    action: 'person.signed_in',
    target: 'usr_2',
    actor,
    after: { method: 'passkey' },
  };
  expect(describeEntry(signedIn, nobody)).toBe('grace@people.example signed in with passkey');
});

test('an action of a later version is shown by its code, whatever its name', () => {
  expect(describeEntry({ ...entry, action: 'domain.dkim_rotated' }, nobody)).toBe('domain dkim rotated');
  expect(describeEntry({ ...entry, action: 'constructor' }, nobody)).toBe('constructor');
});

test('an entry without the fields of its action still reads as a sentence', () => {
  const bare = { ...entry, action: 'key.created', before: null, after: null, target: null };
  expect(describeEntry(bare, nobody)).toBe('Created the API key “…”');
});

test('fields of before and after are listed once, in words', () => {
  const findName = (id: string) => (id === 'inb_1' ? 'support@example.com' : null);
  const before = { role: 'member', at: null, send: 'allow', inbox_ids: ['inb_1', 'inb_2'] };
  const after = {
    role: 'owner',
    send: 'approve',
    inbox_ids: [],
    policy: { recipients: 'known', per_day: 5 },
  };
  expect(listChanges({ before, after }, findName)).toEqual([
    { name: 'role', before: 'member', after: 'owner' },
    { name: 'at', before: null, after: null },
    { name: 'send', before: 'Send at once', after: 'People approve' },
    { name: 'inbox_ids', before: 'support@example.com, inb_2', after: 'none' },
    { name: 'policy', before: null, after: 'Recipients: Known; Emails in 24 hours: 5' },
  ]);
});

test('an inbox is shown by its address', () => {
  const paused = { ...entry, action: 'sending.inbox_paused', target: 'inb_1' };
  expect(describeEntry(paused, () => 'support@example.com')).toBe(
    'Paused sending from the inbox support@example.com',
  );
});

test('a person in the workspace is shown by name, and others as they were called then', () => {
  const { actor } = entry;
  expect(nameActor(entry, () => 'Ada')).toBe('Ada');
  expect(nameActor({ ...entry, actor: { ...actor, name: 'ada@people.example' } }, nobody)).toBe(
    'ada@people.example',
  );
  expect(nameActor({ ...entry, actor: { kind: 'key', id: 'key_1', name: null } }, nobody)).toBe('An API key');
  expect(nameActor({ ...entry, actor: { kind: 'key', id: 'key_1', name: 'ci' } }, nobody)).toBe(
    'API key “ci”',
  );
  expect(nameActor({ ...entry, actor: { kind: 'operator', id: null, name: null } }, nobody)).toBe(
    'The operator',
  );
});
