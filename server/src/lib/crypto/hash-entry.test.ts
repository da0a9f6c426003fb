import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashBeforeFirst, hashEntry, type UnhashedEntry } from './hash-entry.ts';

const entry: UnhashedEntry = {
  workspace_id: 'wsp_1',
  seq: 1,
  id: 'aud_1',
  at: '2026-11-20T09:30:00.000Z',
  actor: { kind: 'person', id: 'usr_1', name: 'ada@people.example' },
  action: 'webhook.changed',
  target: 'whk_1',
  before: { url: 'https://a.example', inbox_ids: null },
  after: { url: 'https://a.example/ü', inbox_ids: ['inb_2', 'inb_1'], nested: { b: 1.5, a: true } },
  address: null,
  request_id: null,
  previous_hash: hashBeforeFirst,
};

test('the hash is the SHA-256 of the canonical JSON that the documentation describes', () => {
  const text =
    '{"action":"webhook.changed","actor":{"id":"usr_1","kind":"person","name":"ada@people.example"},"address":null,' +
    '"after":{"inbox_ids":["inb_2","inb_1"],"nested":{"a":true,"b":1.5},"url":"https://a.example/ü"},' +
    '"at":"2026-11-20T09:30:00.000Z","before":{"inbox_ids":null,"url":"https://a.example"},"id":"aud_1",' +
    `"previous_hash":"${hashBeforeFirst}","request_id":null,"seq":1,"target":"whk_1","workspace_id":"wsp_1"}`;
  expect(hashEntry(entry)).toBe(createHash('sha256').update(text).digest('hex'));
});

test('the order of members does not change the hash, and the order of a list does', () => {
  const after = { nested: { a: true, b: 1.5 }, inbox_ids: ['inb_2', 'inb_1'], url: 'https://a.example/ü' };
  const reversed = Object.fromEntries(Object.entries(entry).reverse()) as unknown as UnhashedEntry;
  expect(hashEntry({ ...reversed, after })).toBe(hashEntry(entry));
  const inbox_ids = after.inbox_ids.toReversed();
  expect(hashEntry({ ...entry, after: { ...after, inbox_ids } })).not.toBe(hashEntry(entry));
});

test('every field changes the hash, and no text can move from one field into another', () => {
  const changed: Partial<UnhashedEntry>[] = [
    { workspace_id: 'wsp_2' },
    { seq: 2 },
    { id: 'aud_2' },
    { at: '2026-11-20T09:30:00.001Z' },
    { actor: { ...entry.actor, kind: 'operator' } },
    { actor: { ...entry.actor, id: null } },
    { actor: { ...entry.actor, name: null } },
    { action: 'webhook.deleted' },
    { target: null },
    { target: 'whk_1","workspace_id":"wsp_1' },
    { before: null },
    { before: {} },
    { after: { ...entry.after, url: null } },
    { address: '127.0.0.1' },
    { request_id: 'req_1' },
    { previous_hash: 'f'.repeat(64) },
  ];
  const hashes = changed.map((fields) => hashEntry({ ...entry, ...fields }));
  expect(new Set([...hashes, hashEntry(entry)]).size).toBe(changed.length + 1);
});
