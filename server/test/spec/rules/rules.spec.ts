/* The allow and block lists themselves. */
import { limits } from '@postrider/contract';
import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import {
  joinTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import type { CreateRule } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const host = () => `${server.freshName('h')}.example`;
const block = (
  pattern: string,
  direction: CreateRule['direction'] = 'outbound',
  owner: TestWorkspace = server,
) => owner.client.rules.create({ kind: 'block', direction, pattern });
const allow = (pattern: string) =>
  server.client.rules.create({ kind: 'allow', direction: 'outbound', pattern });

test('Rules POST /lists, Rule kind, Rule direction: answers 201 with the rule, for each kind and direction', async () => {
  for (const kind of ['allow', 'block'] as const)
    for (const direction of ['inbound', 'outbound', 'both'] as const) {
      const pattern = host();
      const { data, response } = await server.client.rules
        .create({ kind, direction, pattern })
        .withResponse();
      expect(response.status).toBe(201);
      expect(data).toEqual({
        id: expect.stringMatching(/^rul_/),
        kind,
        direction,
        pattern,
        created_at: expect.stringMatching(/Z$/),
      });
    }
});

test('Rules POST /lists: kind, direction and pattern are all required, and nothing else is taken', async () => {
  const whole = { kind: 'block', direction: 'both', pattern: 'x.example' };
  for (const field of Object.keys(whole)) {
    const { [field as keyof typeof whole]: _, ...rest } = whole;
    expect(await invalidFields(server.client.rules.create(rest as CreateRule))).toEqual([field]);
  }
  const odd: [Record<string, unknown>, string][] = [
    [{ kind: 'deny' }, 'kind'],
    [{ direction: 'in' }, 'direction'],
    [{ note: 'x' }, 'note'],
    [{ pattern: 7 }, 'pattern'],
  ];
  for (const [change, field] of odd)
    expect(await invalidFields(server.client.rules.create({ ...whole, ...change } as CreateRule))).toEqual([
      field,
    ]);
});

test('Rule pattern: a full address or a bare domain, lowercased and IDN-normalised; anything else is a 400', async () => {
  const name = server.freshName();
  const spellings = {
    [`${name.toUpperCase()}@X.Example`]: `${name}@x.example`,
    [` "${name}"@x.example `]: `${name}@x.example`,
    [`"${name} b"@x.example`]: `"${name} b"@x.example`,
    [`${name}+Tag@x.example`]: `${name}+tag@x.example`,
    [`${name}@BÜCHER.example`]: `${name}@xn--bcher-kva.example`,
    [`${name}.Example`]: `${name}.example`,
    [`${name}.bücher.example`]: `${name}.xn--bcher-kva.example`,
  };
  for (const [text, pattern] of Object.entries(spellings)) expect((await block(text)).pattern).toBe(pattern);
  const bad = [
    '',
    ' ',
    '@',
    '@x.example',
    'ada@',
    'a b@x.example',
    '*.x.example',
    '*',
    'x_y.example',
    '192.0.2.1',
  ].concat([
    'ada@[192.0.2.1]',
    'Ada <ada@x.example>',
    'x..example',
    'ada@x.example\n',
    'a\0@x.example',
    `${'x.'.repeat(130)}de`,
  ]);
  for (const pattern of bad)
    expect([pattern, await invalidFields(block(pattern))]).toEqual([pattern, ['pattern']]);
});

test('Interface 3 Rule: the same rule twice answers 200 with the existing one, however it is spelled, also twenty at once', async () => {
  const pattern = `${server.freshName()}.bücher.example`;
  const spell = (number: number) => (number % 2 ? pattern.toUpperCase() : pattern);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, number) => block(spell(number)).withResponse()),
  );
  expect(answers.map(({ response }) => response.status).sort()).toEqual([...Array(19).fill(200), 201]);
  expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
  const kept = await server.rows('select actor_id, request_id from rules where id = $1', [
    answers[0]?.data.id,
  ]);
  expect(kept).toEqual([{ actor_id: server.keyId, request_id: expect.any(String) }]);
  const others = [await block(pattern, 'both'), await block(pattern, 'inbound'), await allow(pattern)];
  expect(new Set([...others, answers[0]!.data].map(({ id }) => id)).size).toBe(4);
});

test('Limits rules: 10,000 a workspace, exact for twenty creations at once; one that is there is still answered', async () => {
  const full = await server.workspace();
  const before = limits.rulesPerWorkspaceMax - 5;
  await server.rows(
    `insert into rules (workspace_id, id, kind, direction, pattern, created_at)
      select $1, 'rul_' || lpad(n::text, 26, '0'), 'block', 'both', 'n' || n || '.example', $2 from generate_series(1, $3::int) n`,
    [full.id, new Date(), before],
  );
  const create = () => block(host(), 'both', full);
  const answers = await Promise.allSettled(Array.from({ length: 20 }, create));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  for (const answer of answers)
    if (answer.status === 'rejected')
      await catchApiError(Promise.reject(answer.reason), 'limit_reached', {
        limit: limits.rulesPerWorkspaceMax,
      });
  const { data, response } = await block('n1.example', 'both', full).withResponse();
  expect(response.status).toBe(200);
  await full.client.rules.delete(data.id);
  await create();
  await catchApiError(create(), 'limit_reached');
  await block(host());
});

test('Rules GET /lists: all rules, newest first, page by page, while more are added', async () => {
  const { client } = await server.workspace();
  const made: string[] = [];
  for (let number = 0; number < 7; number++)
    made.unshift((await client.rules.create({ kind: 'block', direction: 'both', pattern: host() })).id);
  const page = await client.rules.list({ limit: 3 });
  await client.rules.create({ kind: 'block', direction: 'both', pattern: host() });
  const rest = await client.rules.list({ limit: 100, cursor: page.next_cursor ?? '' });
  expect([...page.rules, ...rest.rules].map(({ id }) => id)).toEqual(made);
  expect(rest.next_cursor).toBeNull();
});

test("Rules DELETE /lists/{id}: answers 204 once, and 404 for an id that is deleted, unknown, malformed or another workspace's", async () => {
  const { id } = await block(host());
  const other = await server.workspace();
  await catchApiError(other.client.rules.delete(id), 'not_found');
  const { response } = await server.client.rules.delete(id).withResponse();
  expect(response.status).toBe(204);
  for (const gone of [id, newId('rul'), 'x', 'rul_\u0000'])
    await catchApiError(server.client.rules.delete(gone), 'not_found');
});
