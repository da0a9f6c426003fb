import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../lib/ids.ts';
import { rollUpUsage } from './usage-days.ts';

let server: TestServer;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestServer({ roles: ['api'] });
});

afterAll(() => server.stop());

beforeEach(() => {
  workspaceId = newId('wsp');
});

const use = (kind: string, amount: number, at: string, workspace = workspaceId) =>
  server.rows('insert into usage_ledger (workspace_id, kind, amount, at) values ($1, $2, $3, $4)', [
    workspace,
    kind,
    amount,
    at,
  ]);

const rollUp = () => rollUpUsage(server.server.deps).run({});

const totals = (workspace = workspaceId) =>
  server.rows<{ kind: string; month: string; amount: number }>(
    `select kind, month::text, amount from usage_totals where workspace_id = $1 order by kind, month`,
    [workspace],
  );

const waiting = async () => (await server.rows('select id from usage_ledger')).length;

describe('the roll-up of usage', () => {
  test('adds up by kind and by month of UTC, and adds to what is there', async () => {
    await use('emails', 1, '2026-01-31T23:59:59.999Z');
    await use('emails', 1, '2026-02-01T00:00:00.000Z');
    await use('emails', 1, '2026-02-01T01:30:00.000+02:00');
    await use('storage_bytes', 5_000_000_000, '2026-02-03T00:00:00.000Z');
    await rollUp();
    await use('emails', 3, '2026-02-28T12:00:00.000Z');
    await use('storage_bytes', -1_000, '2026-02-28T12:00:00.000Z');
    await rollUp();
    await rollUp();
    expect(await totals()).toEqual([
      { kind: 'emails', month: '2026-01-01', amount: 2 },
      { kind: 'emails', month: '2026-02-01', amount: 4 },
      { kind: 'storage_bytes', month: '2026-02-01', amount: 4_999_999_000 },
    ]);
    expect(await waiting()).toBe(0);
  });

  test('is exact while mail goes on and two processes add up', async () => {
    const other = newId('wsp');
    let writing = true;
    const writers = Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let entry = 0; entry < 50; entry++)
          await use('emails', 1, '2026-03-01T00:00:00.000Z', writer % 2 ? other : workspaceId);
      }),
    ).finally(() => {
      writing = false;
    });
    const adder = async () => {
      while (writing) await rollUp();
    };
    await Promise.all([writers, adder(), adder()]);
    await rollUp();
    for (const workspace of [workspaceId, other])
      expect(await totals(workspace)).toEqual([{ kind: 'emails', month: '2026-03-01', amount: 150 }]);
    expect(await waiting()).toBe(0);
  });

  test('counts a message that is sent once, whatever the number of its recipients, and the bytes of its files', async () => {
    const inbox = await server.inbox();
    const request = {
      inbox_id: inbox.id,
      to: ['a@example.com', 'b@example.com'],
      subject: 'Files',
      text: 'Hello',
      client_id: 'once',
      attachments: [{ filename: 'x.bin', content: Buffer.alloc(1_000, 'x') }],
    };
    await server.client.messages.send(request);
    await server.client.messages.send(request);
    await rollUp();
    expect((await totals(server.id)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['emails', 1],
      ['mail_bytes', expect.any(Number)],
      ['storage_bytes', 1_000],
    ]);
  });
});
