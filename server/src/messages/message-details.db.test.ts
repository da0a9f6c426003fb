import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { readMessage } from './message-details.ts';

let store: MailStore;

beforeAll(async () => {
  store = await openMailStore();
});

afterAll(() => store.close());

const keep = async (inboxId: string, subject: string): Promise<string> => {
  const id = newId('msg');
  await store.keep({ inboxId, message: { id, subject } });
  return id;
};

/** Returns the subject, or the code of the error. */
const read = (id: string, rights: { workspaceId?: string; inboxIds?: string[] } = {}): Promise<string> => {
  const { workspaceId = store.workspaceId, inboxIds = null } = rights;
  const ctx = { ...store.deps, workspaceId, scope: { ...wholeWorkspace, inboxIds } };
  return readMessage(ctx, id).then(
    ({ row }) => row.subject,
    ({ code }) => code,
  );
};

test('messages that are read at the same time are each seen by those alone who may see them', async () => {
  const [one, other] = [await store.inbox(), await store.inbox()];
  const [first, second, foreign] = [
    await keep(one, 'first'),
    await keep(one, 'second'),
    await keep(other, 'foreign'),
  ];
  const ofOne = { inboxIds: [one] };
  const reads = [
    read(second),
    read(foreign, ofOne),
    read(first),
    read(second, ofOne),
    read(foreign),
    read(newId('msg')),
    read(first, { workspaceId: newId('wsp') }),
    read(first),
    read(first, { inboxIds: [] }),
  ];
  expect(await Promise.all(reads)).toEqual([
    'second',
    'not_found',
    'first',
    'second',
    'foreign',
    'not_found',
    'not_found',
    'first',
    'not_found',
  ]);
});
