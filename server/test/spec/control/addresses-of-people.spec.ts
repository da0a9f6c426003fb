/*
 * People control what agents send (interface 11). An agent that read the mail of a person could set a new password, and decide as that
 * person.
 */
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { makePerson, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { addDomain } from '@postrider/testkit/servers/workspace-things.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimInbox } from '../../../src/inboxes/create-inbox.ts';
import { getWorkspace } from '../../../src/workspaces/manage-workspaces.ts';

let server: TestServer;
beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const personAt = async (email: string) => {
  const person = await makePerson(server);
  await server.rows('update people set email = $2 where id = $1', [person.id, email]);
};

test('Interface 2 address_taken: no inbox gets the address of a person, for a key, for people and at the start', async () => {
  const [owner, local] = [await signedIn(server), server.freshName()];
  const { deps } = server.server;
  const domain = deps.config.mailDomain;
  await personAt(`${local}+work@${domain}`);
  const create = { method: 'POST', body: { local_part: local } } as const;
  expect(
    await catchApiError(server.client.inboxes.create({ local_part: local }), 'address_taken'),
  ).toMatchObject({
    reason: 'taken',
  });
  expect(await owner.request('/v1/inboxes', create)).toMatchObject({
    status: 409,
    body: { error: 'address_taken' },
  });
  const workspace = await getWorkspace(deps, server.name);
  await expect(claimInbox(deps, workspace, `${local}@${domain}`)).rejects.toThrow('was not made');
  for (const other of [`${local}x`, `${local}-2`]) await server.client.inboxes.create({ local_part: other });
});

test('Interface 2 address_taken: the first owner has an address without an inbox', async () => {
  await catchApiError(server.client.inboxes.create({ local_part: 'owner' }), 'address_taken', {
    reason: 'taken',
  });
});

test('Interface 2 address_taken: an inbox that was there first stays, and is named', async () => {
  const inbox = await server.inbox();
  await personAt(inbox.address);
  const { local_part } = inbox;
  expect(await catchApiError(server.client.inboxes.create({ local_part }), 'address_taken')).toMatchObject({
    inbox_id: inbox.id,
  });
  expect(await server.client.inboxes.get(inbox.id)).toEqual(inbox);
});

test('Interface 2 address_taken: on an own domain only people of its workspace keep an address from inboxes', async () => {
  const other = await server.workspace();
  const [ours, theirs] = [await addDomain(server, server), await addDomain(server, other)];
  const hostnameOf = async ({ client }: Pick<TestServer, 'client'>, id: string) =>
    (await client.domains.get(id)).hostname;
  await personAt(`ada@${await hostnameOf(server, ours)}`);
  await personAt(`ada@${await hostnameOf(other, theirs)}`);
  const create = ({ client }: Pick<TestServer, 'client'>, domain_id: string) =>
    client.inboxes.create({ local_part: 'ada', domain_id });
  await catchApiError(create(server, ours), 'address_taken', { reason: 'taken' });
  expect((await create(other, theirs)).local_part).toBe('ada');
});
