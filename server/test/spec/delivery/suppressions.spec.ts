/* Interface 3, Suppression, and section 6: the list of addresses that a workspace does not send to. */

import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import type { Suppression } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

const clock = createMovingClock();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ clock, env: { POSTRIDER_RATE_LIMITS: 'off' } });
});
afterAll(() => server.stop());

const address = () => `${server.freshName('gone')}@remote.example`;
const addressesOf = (suppressions: Suppression[]) => suppressions.map((each) => each.address);

/** Every address on the list of a workspace, page by page. */
const allOf = async ({ client }: TestWorkspace, limit = 100): Promise<string[]> => {
  const found: string[] = [];
  for await (const each of client.suppressions.list({ limit })) found.push(each.address);
  return found;
};

const post = (owner: TestWorkspace, body: object) =>
  server.request('/v1/suppressions', { method: 'POST', key: owner.key, body });
const remove = (owner: TestWorkspace, path: string) =>
  server.request(`/v1/suppressions/${path}`, { method: 'DELETE', key: owner.key });

test('Interface 6 POST /suppressions: 201 makes a manual one, and the second time 200 answers it as it is', async () => {
  const owner = await server.workspace();
  const to = address();
  const first = await post(owner, { address: to });
  const made = { address: to, reason: 'manual', message_id: null, created_at: expect.stringMatching(/Z$/) };
  expect([first.status, first.body]).toEqual([201, made]);
  clock.advance(60_000);
  const second = await post(owner, { address: to.toUpperCase() });
  expect([second.status, second.body]).toEqual([200, first.body]);
  const rows = await server.rows('select actor_id, request_id from suppressions where address = $1', [to]);
  expect(rows).toEqual([{ actor_id: owner.keyId, request_id: expect.stringMatching(/^req_/) }]);
  expect((await owner.client.suppressions.list()).suppressions).toEqual([first.body]);
});

test('Interface 6 POST /suppressions: an address has one spelling', async () => {
  const owner = await server.workspace();
  const spellings: [string, string[]][] = [
    ['ada@remote.example', [' ADA@Remote.EXAMPLE ', '"ada"@remote.example']],
    ['ada+news@remote.example', ['Ada+News@remote.example']],
    [
      'info@xn--bcher-kva.example',
      ['info@bücher.example', 'INFO@BÜCHER.example', 'info@bu\u0308cher.example'],
    ],
    ['jos\u00e9@remote.example', ['jose\u0301@remote.example', 'JOSÉ@remote.example']],
    ['"odd name"@remote.example', ['"Odd Name"@remote.example', '"odd\\ name"@remote.example']],
  ];
  for (const [one, others] of spellings)
    for (const each of [one, ...others]) {
      const answer = await post(owner, { address: each });
      expect([each, answer.status, answer.body.address]).toEqual([each, each === one ? 201 : 200, one]);
    }
  expect(await allOf(owner)).toHaveLength(spellings.length);
});

test('Interface 6 POST /suppressions: what is no address is a 400', async () => {
  const long = `a@${'ä'.repeat(60)}.${'ü'.repeat(60)}.${'ö'.repeat(60)}.${'ä'.repeat(30)}.example`;
  for (const bad of [
    '',
    'ada',
    '@remote.example',
    'remote.example',
    'Ada <ada@remote.example>',
    'a@b@c',
    long,
  ])
    expect([bad, await invalidFields(server.client.suppressions.create({ address: bad }))]).toEqual([
      bad,
      ['address'],
    ]);
  for (const bad of ['ada@[192.0.2.1]', 'a\r\nb@remote.example', 'a\u0000@remote.example'])
    expect([bad, await invalidFields(server.client.suppressions.create({ address: bad }))]).toEqual([
      bad,
      ['address'],
    ]);
  const extra = await post(server, { address: address(), reason: 'complaint' });
  expect([extra.status, extra.body.error]).toEqual([400, 'invalid_request']);
});

test('Interface 6 GET /suppressions: newest first, page by page, and stable while addresses come and go', async () => {
  const owner = await server.workspace();
  const { suppressions } = owner.client;
  const made: string[] = [];
  for (let i = 0; i < 7; i++) {
    clock.advance(1_000);
    made.unshift((await suppressions.create({ address: address() })).address);
  }
  for (const limit of [1, 2, 3, 6, 7, 100]) expect(await allOf(owner, limit)).toEqual(made);
  const first = await suppressions.list({ limit: 3 });
  expect(addressesOf(first.suppressions)).toEqual(made.slice(0, 3));
  clock.advance(1_000);
  await suppressions.create({ address: address() });
  await suppressions.delete(made[2] ?? '');
  await suppressions.delete(made[4] ?? '');
  const second = await suppressions.list({ limit: 3, cursor: first.next_cursor ?? '' });
  expect([addressesOf(second.suppressions), second.next_cursor]).toEqual([[made[3], made[5], made[6]], null]);
  for (const cursor of ['x', Buffer.from('["a","b"]').toString('base64url'), `${first.next_cursor}=`])
    expect(await invalidFields(Promise.resolve(suppressions.list({ cursor })))).toEqual(['cursor']);
});

test('Interface 6 GET /suppressions: those of the same moment are listed each once', async () => {
  const owner = await server.workspace();
  await server.rows(
    `insert into suppressions (workspace_id, address, reason, created_at)
     select $1, 'a' || n || '@remote.example', 'hard_bounce', $2 from generate_series(1, 60) n`,
    [owner.id, clock.now()],
  );
  for (const limit of [7, 25, 59, 60]) expect(new Set(await allOf(owner, limit)).size).toBe(60);
  expect(await allOf(owner, 7)).toHaveLength(60);
});

test('Interface 6 DELETE /suppressions/{address}: 204 for any spelling of the address, and 404 when it is not there', async () => {
  const owner = await server.workspace();
  const spellings: [string, string[]][] = [
    [
      'ada@remote.example',
      ['ada@remote.example', 'ADA%40Remote.Example', '%61da%40remote%2eexample', 'ada@remote.example.'],
    ],
    ['ada+news@remote.example', ['ada+news@remote.example', 'ada%2Bnews%40remote.example']],
    ['a/b@remote.example', ['a%2Fb%40remote.example', 'A%2fB@remote.example']],
    ['50%off@remote.example', ['50%25off%40remote.example']],
    ['info@bücher.example', ['info@xn--bcher-kva.example', encodeURIComponent('info@bücher.example')]],
    ['josé@remote.example', [encodeURIComponent('jose\u0301@remote.example')]],
    ['"odd name"@remote.example', [encodeURIComponent('"odd name"@remote.example')]],
  ];
  for (const [one, paths] of spellings)
    for (const path of paths) {
      await owner.client.suppressions.create({ address: one });
      expect([path, (await remove(owner, path)).status]).toEqual([path, 204]);
      expect([path, (await remove(owner, path)).status]).toEqual([path, 404]);
      expect(await allOf(owner)).toEqual([]);
    }
  for (const [one] of spellings) {
    await owner.client.suppressions.create({ address: one });
    await owner.client.suppressions.delete(one);
    await catchApiError(owner.client.suppressions.delete(one), 'not_found');
  }
  for (const path of ['x', '%40', 'a%00@remote.example', encodeURIComponent('Ada <ada@remote.example>')])
    expect([path, (await remove(owner, path)).status]).toEqual([path, 404]);
  expect((await remove(owner, '%zz@remote.example')).status).toBeLessThan(500);
});

test('Conventions 5, Interface 6: the list of another workspace is neither seen nor changed', async () => {
  const [one, two] = [await server.workspace(), await server.workspace()];
  const to = address();
  await one.client.suppressions.create({ address: to });
  expect(await allOf(two)).toEqual([]);
  await catchApiError(two.client.suppressions.delete(to), 'not_found');
  expect((await post(two, { address: to })).status).toBe(201);
  await two.client.suppressions.delete(to);
  expect(await allOf(one)).toEqual([to]);
});

test('Interface 6 POST /suppressions: twenty at once make one, and twenty removals remove one', async () => {
  const owner = await server.workspace();
  for (let round = 0; round < 5; round++) {
    const to = address();
    const adds = await Promise.all(Array.from({ length: 20 }, () => post(owner, { address: to })));
    expect(adds.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(adds.map(({ text }) => text)).size).toBe(1);
    const removals = await Promise.all(Array.from({ length: 20 }, () => remove(owner, to)));
    expect(removals.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(404)]);
  }
});
