/* Interface 11, Interface 19: of two decisions at once one counts, and nothing that was withdrawn or has expired goes out. */
import type { ApprovalSummary, DecisionResult } from '@postrider/contract/console';
import { type ConsoleBrowser, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { makeToken, manage, type TestToken } from '@postrider/testkit/http/management-requests.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import pg from 'pg';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { expireApprovals } from '../../../src/approvals/watch-approvals.ts';
import { operator } from '../../../src/audit/append-audit.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

const rounds = 5;

let relayed: ServerWithSink;
let server: ServerWithSink['server'];
let owner: ConsoleBrowser;
let inbox: Inbox;
/** Decides by one of the two doors. */
type Decider = (path: string, body: object) => Promise<{ body: unknown }>;
let deciders: Record<'console' | 'management API', [Decider, Decider]>;

beforeAll(async () => {
  relayed = await startServerWithSink();
  server = relayed.server;
  owner = await signedIn(server);
  const member = await signedIn(server, 'member');
  const tokens = [await makeToken(server), await makeToken(server)] as const;
  const byPage =
    (browser: ConsoleBrowser): Decider =>
    (path, body) =>
      browser.request(path, { method: 'POST', body });
  const byToken =
    ({ token }: TestToken): Decider =>
    (path, body) =>
      manage(server, token, path, { method: 'POST', body: { ...body, decided_by: 'Ada in the chat' } });
  deciders = {
    console: [byPage(owner), byPage(member)],
    'management API': [byToken(tokens[0]), byToken(tokens[1])],
  };
  await setSending('approve');
});
afterAll(() => relayed.stop());
beforeEach(async () => {
  inbox = await server.inbox();
});

const setSending = (send: 'approve' | 'never') => {
  const place = { workspaceId: server.id, level: 'key', subjectId: server.keyId } as const;
  return setPolicy(server.server.deps, place, { send }, operator);
};
/** Has a message held, and returns it as people are shown it. */
const hold = async (): Promise<ApprovalSummary> => {
  const to = `${server.freshName()}@remote.example`;
  const { id } = await server.client.messages.send({ inbox_id: inbox.id, to, subject: 'Hello' });
  return (await owner.request(`/approvals/${id}`)).body as unknown as ApprovalSummary;
};
const decide = async (by: Decider, decision: 'approve' | 'refuse', shown: ApprovalSummary) => {
  const { message_id, content_hash } = shown;
  const body = { decision, messages: [{ message_id, content_hash }] };
  const answer = await by('/approvals/decide', body);
  return (answer.body as { results: DecisionResult[] }).results[0]!;
};
const copiesOf = ({ to }: ApprovalSummary) => relayed.sink.copiesFor(to[0]!).length;
const actsOn = ({ message_id }: ApprovalSummary) =>
  server.rows<{ action: string }>('select action from audit_entries where target = $1', [message_id]);
/** Resolves once nothing of a message is due or under way. */
const settled = ({ message_id }: ApprovalSummary) =>
  eventually('the end', async () => {
    const left = await server.rows(
      `select from message_recipients where message_id = $1 and status in ('queued', 'sending', 'held')`,
      [message_id],
    );
    return left.length === 0;
  });
const inTurn = async (round: (turn: number) => Promise<void>) => {
  for (let turn = 0; turn < rounds; turn++) await round(turn);
};

describe.each(['console', 'management API'] as const)('by the %s', (door) => {
  let [ada, bob] = [] as unknown as [Decider, Decider];
  beforeAll(() => {
    [ada, bob] = deciders[door];
  });

  test('Interface 11 Approval: of two people who approve and refuse at once, one wins', async () => {
    const winners = new Set<string | null>();
    await inTurn(async () => {
      const shown = await hold();
      const results = await Promise.all([decide(ada, 'approve', shown), decide(bob, 'refuse', shown)]);
      const [won, lost] = results.toSorted((one) => (one.problem === null ? -1 : 1));
      expect([won?.problem, lost?.problem, lost?.state]).toEqual([null, 'decided', won?.state]);
      await settled(shown);
      expect(copiesOf(shown)).toBe(won?.state === 'approved' ? 1 : 0);
      expect(await actsOn(shown)).toEqual([{ action: `approval.${won?.state}` }]);
      winners.add(won?.state ?? null);
    });
    expect(winners.size).toBeGreaterThan(0);
  });

  test('Interface 11 Approval: a click that comes twice sends one message', async () => {
    await inTurn(async () => {
      const shown = await hold();
      const results = await Promise.all([1, 2, 3].map(() => decide(ada, 'approve', shown)));
      expect(results.map(({ problem }) => problem).sort()).toEqual(['decided', 'decided', null]);
      await settled(shown);
      expect(copiesOf(shown)).toBe(1);
    });
  });

  test('Interface 11 Approval: a message that is deleted while it is approved goes out only before its deletion', async () => {
    await inTurn(async () => {
      const shown = await hold();
      const deletion = server.client.messages.delete(shown.message_id);
      const [result] = await Promise.all([decide(ada, 'approve', shown), deletion]);
      const before = copiesOf(shown);
      expect([null, 'not_found']).toContain(result.problem);
      expect(await server.rows('select * from approvals where message_id = $1', [shown.message_id])).toEqual(
        [],
      );
      if (result.problem === 'not_found') expect(before).toBe(0);
    });
  });

  test('Interface 11 Approval: an inbox that is deleted while a message is approved sends nothing any more', async () => {
    await inTurn(async () => {
      inbox = await server.inbox();
      const shown = await hold();
      const deletion = server.client.inboxes.delete(inbox.id);
      const [result] = await Promise.all([decide(ada, 'approve', shown), deletion]);
      if (result.problem !== null) expect([result.problem, copiesOf(shown)]).toEqual(['not_found', 0]);
    });
  });

  test('Interface 11 Approval: a message that expires while it is approved is approved or expired, and not both', async () => {
    await inTurn(async () => {
      const shown = await hold();
      const soon = new Date(server.server.deps.clock.now().getTime() + 3);
      await server.rows('update approvals set expires_at = $2 where message_id = $1', [
        shown.message_id,
        soon,
      ]);
      const [result] = await Promise.all([
        decide(ada, 'approve', shown),
        expireApprovals(server.server.deps),
      ]);
      expect([null, 'expired']).toContain(result.problem);
      await settled(shown);
      expect(copiesOf(shown)).toBe(result.problem === null ? 1 : 0);
      expect(await actsOn(shown)).toHaveLength(1);
    });
  });

  test('Interface 11 Approval: an approval and a stricter policy at once leave a message sent or left out', async () => {
    await inTurn(async () => {
      const shown = await hold();
      const [result] = await Promise.all([decide(ada, 'approve', shown), setSending('never')]);
      await settled(shown);
      expect(copiesOf(shown)).toBe(result.left_out.length > 0 ? 0 : 1);
      const later = await decide(bob, 'approve', shown);
      expect(later.problem).toBe('decided');
      await setSending('approve');
    });
  });

  test('Interface 11 Approval: a worker that began to look while a message was being approved sends it', async () => {
    const shown = await hold();
    const { pool } = server.server.deps.database;
    const waits = (what: string, kind: string) =>
      eventually(what, async () => {
        const sql = 'select from pg_locks where not granted and locktype = $1';
        return (await server.rows(sql, [kind])).length > 0;
      });
    // Of their own, since the server needs all that it has while these two hold it up.
    const [audit, looks] = [new pg.Client(pool.options), new pg.Client(pool.options)];
    for (const client of [audit, looks]) {
      await client.connect();
      onTestFinished(() => client.end());
    }
    // The approval has its time, and does not commit yet.
    await audit.query('begin');
    await audit.query('select from audit_heads where workspace_id = $1 for update', [server.id]);
    const decided = decide(ada, 'approve', shown);
    await waits('the approval that waits', 'transactionid');
    // Looks for due recipients take this lock once they have begun.
    await looks.query('begin');
    await looks.query('select lock_waiting(true)');
    await waits('a look that waits', 'advisory');
    await audit.query('commit');
    expect(await decided).toMatchObject({ problem: null });
    await looks.query('commit');
    await settled(shown);
    expect(copiesOf(shown)).toBe(1);
  });
});
