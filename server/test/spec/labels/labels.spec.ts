import { limits } from '@postrider/contract';
import { catchApiError, invalidFields, tally } from '@postrider/testkit/http/api-errors.ts';
import {
  joinTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import type { Label } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const namesOf = (labels: Label[]) => labels.map((label) => label.name);

/** The names of every label of a workspace, page by page. */
const allNames = async ({ client }: TestWorkspace, limit = 100): Promise<string[]> => {
  const names: string[] = [];
  for await (const { name } of client.labels.list({ limit })) names.push(name);
  return names;
};

test('Labels POST /labels, Label id, Label name, Label color, Label created timestamp: the label as it was asked for', async () => {
  const { client } = await server.workspace();
  const before = Date.now();
  const label = await client.labels.create({ name: '  To do \t', color: '#Ff8800' });
  expect(label).toEqual({
    id: expect.stringMatching(/^lbl_/),
    name: 'To do',
    color: '#Ff8800',
    created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
  });
  expect(Date.parse(label.created_at)).toBeGreaterThanOrEqual(before - 1);
  expect(Date.parse(label.created_at)).toBeLessThanOrEqual(Date.now() + 1);
  expect((await client.labels.create({ name: 'None' })).color).toBeNull();
  expect((await client.labels.create({ name: 'Null', color: null })).color).toBeNull();
  expect((await client.labels.create({ name: 'Short', color: '#f80' })).color).toBe('#f80');
});

test('Interface 3 Label: name has 1 to 64 characters without control characters, color is #rgb or #rrggbb', async () => {
  const { client } = await server.workspace();
  for (const name of ['', ' \t ', 'x'.repeat(65), '🦊'.repeat(65), 'a\nb', 'a\u0000b', 'a\u0085b', '\ud800'])
    expect([name, await invalidFields(client.labels.create({ name }))]).toEqual([name, ['name']]);
  for (const color of ['', 'red', '#ff', '#ffff', '#gggggg', '#ff88001', 'ff8800'])
    expect([color, await invalidFields(client.labels.create({ name: 'x', color }))]).toEqual([
      color,
      ['color'],
    ]);
  const odd = ['🦊'.repeat(64), "it's \\ 100% & <b>_", '"', '発送', 'a/b?c#d', '\u202eabc'];
  for (const name of odd) expect((await client.labels.create({ name })).name).toBe(name);
  expect((await allNames({ ...server, client }, 2)).sort()).toEqual(odd.sort());
});

test('Interface 3 Label: name is unique without regard to case and to how its characters are composed', async () => {
  const { client } = await server.workspace();
  const taken: [string, string[]][] = [
    ['Urgent', ['urgent', 'URGENT', ' uRGENT ']],
    ['Ärger', ['ÄRGER', 'a\u0308rger', 'A\u0308RGER']],
    ['Straße', ['STRASSE', 'strasse', 'STRAẞE']],
    ['ΟΔΟΣ', ['οδος', 'οδοσ']],
  ];
  for (const [name, others] of taken) {
    await client.labels.create({ name });
    for (const other of [name, ...others])
      await catchApiError(client.labels.create({ name: other, color: '#000' }), 'label_name_taken');
  }
  for (const name of ['Arger', 'Urgent!', 'Urgënt']) await client.labels.create({ name });
  expect(await allNames({ ...server, client })).toHaveLength(taken.length + 3);
  const { client: other } = await server.workspace();
  expect((await other.labels.create({ name: 'URGENT' })).name).toBe('URGENT');
});

test('Interface 3 Label: of twenty creations of one name at once, one is made', async () => {
  const owner = await server.workspace();
  const spellings = ['Äpfel', 'ÄPFEL', 'a\u0308pfel', 'äpfel'];
  const calls = Array.from({ length: 20 }, (_, i) =>
    owner.client.labels.create({ name: spellings[i % 4] ?? '' }),
  );
  expect(await tally(calls)).toEqual({ done: 1, label_name_taken: 19 });
  expect(await allNames(owner)).toHaveLength(1);
});

test('Labels GET /labels: by name without regard to case, page by page, and stable while labels come and go', async () => {
  const owner = await server.workspace();
  const { labels } = owner.client;
  for (const name of ['delta', 'Bravo', 'alpha', 'Echo', 'charlie', 'Äther']) await labels.create({ name });
  const inOrder = ['alpha', 'Bravo', 'charlie', 'delta', 'Echo', 'Äther'];
  expect(namesOf((await labels.list()).labels)).toEqual(inOrder);
  for (const limit of [1, 2, 3, 5, 6, 100]) expect(await allNames(owner, limit)).toEqual(inOrder);

  const first = await labels.list({ limit: 2 });
  expect(namesOf(first.labels)).toEqual(['alpha', 'Bravo']);
  await labels.create({ name: 'aardvark' });
  await labels.create({ name: 'Bravo 2' });
  await labels.delete(first.labels[1]?.id ?? '');
  const second = await labels.list({ limit: 2, cursor: first.next_cursor ?? '' });
  expect(namesOf(second.labels)).toEqual(['Bravo 2', 'charlie']);
  const last = await labels.list({ limit: 3, cursor: second.next_cursor ?? '' });
  expect([namesOf(last.labels), last.next_cursor]).toEqual([['delta', 'Echo', 'Äther'], null]);
  for (const cursor of ['x', 'eyJ2IjoxfQ', Buffer.from('["a","b"]').toString('base64url')])
    expect(await invalidFields(Promise.resolve(labels.list({ cursor })))).toEqual(['cursor']);
});

test('Interface 7: a workspace has 1,000 labels, exactly, also when many are made at once', async () => {
  const owner = await server.workspace();
  const { labels } = owner.client;
  const limit = limits.labelsPerWorkspaceMax;
  const ids = Array.from({ length: limit - 10 }, () => newId('lbl'));
  await server.rows(
    `insert into labels (workspace_id, id, name, name_key, created_at)
     select $1, id, 'label ' || n, 'label ' || n, now() from unnest($2::text[]) with ordinality l(id, n)`,
    [owner.id, ids],
  );
  const calls = Array.from({ length: 20 }, (_, i) => labels.create({ name: `new ${i}` }));
  expect(await tally(calls)).toEqual({ done: 10, limit_reached: 10 });
  await catchApiError(labels.create({ name: 'one more' }), 'limit_reached', { limit });
  await catchApiError(labels.create({ name: 'LABEL 7' }), 'label_name_taken');
  expect(await allNames(owner)).toHaveLength(limit);
  await labels.delete(ids[0] ?? '');
  expect(await tally([labels.create({ name: 'one' }), labels.create({ name: 'two' })])).toEqual({
    done: 1,
    limit_reached: 1,
  });
});

test('Labels DELETE /labels/{id}: 204, and the label is gone: from the list, and its name is free', async () => {
  const owner = await server.workspace();
  const { labels } = owner.client;
  const { id } = await labels.create({ name: 'Gone' });
  const answer = await server.request(`/v1/labels/${id}`, { method: 'DELETE', key: owner.key });
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect(await allNames(owner)).toEqual([]);
  await catchApiError(labels.delete(id), 'not_found');
  const again = await labels.create({ name: 'gone' });
  expect(again.id).not.toBe(id);
  const ends = await tally(Array.from({ length: 20 }, () => labels.delete(again.id)));
  expect(ends).toEqual({ done: 1, not_found: 19 });
});
