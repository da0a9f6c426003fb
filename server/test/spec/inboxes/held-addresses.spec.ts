/* Section 3: a workspace holds as many deleted addresses as its plan has inboxes, at least 25; the oldest is given free first. */

import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import {
  joinTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const names = (count: number) => Array.from({ length: count }, () => server.freshName());
const create = async ({ client }: TestWorkspace, local_part: string) =>
  (await client.inboxes.create({ local_part })).id;
const createDeleted = async (owner: TestWorkspace, local_part: string) =>
  owner.client.inboxes.delete(await create(owner, local_part));
/** Those of the names that somebody else may have now. */
const claimable = async (local_parts: string[]): Promise<string[]> => {
  const other = await server.workspace();
  const claimed: string[] = [];
  for (const name of local_parts) {
    const id = await create(other, name).catch(() => null);
    if (id !== null) claimed.push(name);
  }
  return claimed;
};

test('Interface 3 Inbox: of 60 names that a free workspace made and deleted, others can have the 35 oldest', async () => {
  const owner = await server.workspace({ plan: 'free' });
  const made = names(60);
  for (const name of made) await createDeleted(owner, name);
  expect(await claimable(made)).toEqual(made.slice(0, 35));
  await catchApiError(
    (await server.workspace()).client.inboxes.create({ local_part: made[35]! }),
    'address_taken',
  );
});

test('Interface 3 Inbox: what is held too many from before is given free with the next deletion', async () => {
  const owner = await server.workspace({ plan: 'free' });
  const made = names(30);
  for (const name of made) await createDeleted(owner, name);
  const older = names(10);
  await server.rows(
    `insert into addresses (address, workspace_id, inbox_id, held_until)
      select name || '@postrider.test', $1, 'inb_old', now() + interval '1 day' from unnest($2::text[]) name`,
    [owner.id, older],
  );
  expect(await claimable(older.slice(0, 2))).toEqual([]);
  await createDeleted(owner, server.freshName());
  expect(await claimable(older)).toEqual(older);
});

test('Interface 3 Inbox: the bound of a larger plan is its inboxes, and holds however many are deleted at once', async () => {
  const owner = await server.workspace({ plan: 'pro' });
  const other = await server.workspace({ plan: 'free' });
  const kept = server.freshName();
  await createDeleted(other, kept);
  const held = async ({ id }: TestWorkspace) =>
    (await server.rows('select from addresses where workspace_id = $1 and held_until is not null', [id]))
      .length;
  const rounds: string[][] = [names(60), names(60), names(60)];
  for (const round of rounds) {
    const ids = await Promise.all(round.map((name) => create(owner, name)));
    await Promise.all([
      ...ids.map((id) => owner.client.inboxes.delete(id)),
      // Creations of the same workspace meanwhile take the same turns.
      create(owner, server.freshName()),
    ]);
  }
  expect(await held(owner)).toBe(100);
  expect(await held(other)).toBe(1);
  expect(await claimable(rounds[0]!)).toEqual(rounds[0]);
  expect(await claimable(rounds[2]!)).toEqual([]);
  expect(await claimable([kept])).toEqual([]);
});
