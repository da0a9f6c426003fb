import { expect, it } from 'vitest';
import { rankItems, rankName } from './rank-names.ts';

const names = [
  'Inboxes',
  'Threads',
  'Approvals',
  'Write a message',
  'Delivery log',
  'API keys',
  'Webhooks',
  'Suppressions',
  'Sending policy',
  'Audit log',
  'Settings',
  'Keyboard shortcuts',
];
const find = (typed: string) => rankItems(names, typed, (name) => name);

it.each([
  ['keys', 'API keys'],
  ['log', 'Audit log'],
  ['shortcuts', 'Keyboard shortcuts'],
  ['ak', 'API keys'],
  ['dlog', 'Delivery log'],
  ['writ mess', 'Write a message'],
  ['webhoks', 'Webhooks'],
  ['wehbooks', 'Webhooks'],
  ['aprovals', 'Approvals'],
  ['supressions', 'Suppressions'],
  ['setings', 'Settings'],
  ['delivrey', 'Delivery log'],
])('%s finds %s first', (typed, expected) => {
  expect(find(typed)[0]).toBe(expected);
});

it.each(['late parcel & co', 'order 4711', 'zz', 'api keys of ada'])('%s finds nothing', (typed) => {
  expect(find(typed)).toEqual([]);
});

it('keeps the order of names that fit equally well, and all of them before anything is typed', () => {
  expect(find('')).toEqual(names);
  expect(find('set')).toEqual(['Settings']);
  expect(rankName('Settings', 'SET')).toBeGreaterThan(rankName('Reset', 'set'));
});
