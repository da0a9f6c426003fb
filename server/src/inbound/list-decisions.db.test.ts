import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { recordQueries } from '@postrider/testkit/database/recorded-queries.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { newId } from '../lib/ids.ts';
import { examinedMax, type ListDecisions, listDecisions, viewDecision } from './list-decisions.ts';
import { listUnknownRecipients } from './list-unknown-recipients.ts';

let database: Database;

beforeAll(async () => {
  database = await openFreshDatabase();
});
afterAll(() => database.close());

interface Seeded {
  workspace_id?: string | null;
  inbox_id?: string | null;
  at?: string;
  mail_from?: string | null;
  rcpt_to?: string | null;
  helo?: string | null;
  verdict?: string;
  reply?: string;
}

const later = '2027-03-01T12:00:00.000Z';
const refusal = { verdict: 'refused', reply: '550 5.1.1 No such user here' };

const decide = async (decision: Seeded): Promise<string> => {
  const { workspace_id = null, inbox_id = null, at = later, mail_from = 'ada@example.com' } = decision;
  const { rcpt_to = null, helo = 'mx.example.com', verdict = 'accepted', reply = '250 2.0.0 Ok' } = decision;
  const { rows } = await database.pool.query(
    `insert into smtp_decisions (at, workspace_id, inbox_id, session_id, remote_address, helo, mail_from, rcpt_to, verdict, reply)
       values ($1, $2, $3, 'session', '192.0.2.7', $4, $5, $6, $7, $8) returning id`,
    [at, workspace_id, inbox_id, helo, mail_from, rcpt_to, verdict, reply],
  );
  return String(rows[0].id);
};

/** A workspace that has proved a hostname at a time, unless that is null. */
const ownerOf = async (hostname: string, since: string | null): Promise<string> => {
  const [workspaceId, id] = [newId('wsp'), newId('dom')];
  await database.pool.query(
    "insert into workspaces (id, name, title, plan, is_test, created_at) values ($1, $1, $1, 'pro', false, $2)",
    [workspaceId, later],
  );
  await database.pool.query(
    `insert into domains (id, workspace_id, hostname, kind, status, dmarc_policy, ownership_token, dkim_selector, dkim_private_key,
         dkim_public_key, checks, fence, looking_since, verified_at, created_at)
       values ($1, $2, $3, 'byo', 'verified', 'none', 't', 's', 'k', 'p', '[]', 0, $4, $5, $4)`,
    [id, workspaceId, hostname, '2027-01-01T00:00:00.000Z', since],
  );
  if (since !== null)
    await database.pool.query(
      `insert into verified_hostnames (hostname, workspace_id, domain_id) values ($1, $2, $3)
         on conflict (hostname) do update set workspace_id = $2, domain_id = $3`,
      [hostname, workspaceId, id],
    );
  return workspaceId;
};

const list = (workspaceId: string, query: Partial<ListDecisions> = {}) =>
  listDecisions({ db: database.db, workspaceId }, { limit: 100, ...query });
const idsOf = async (workspaceId: string, query: Partial<ListDecisions> = {}) =>
  (await list(workspaceId, query)).rows.map((row) => viewDecision(row).id);

const allIds = async (workspaceId: string, query: Partial<ListDecisions>, between = async () => {}) => {
  const ids: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await list(workspaceId, { ...query, cursor });
    ids.push(...page.rows.map(({ id }) => String(id)));
    cursor = page.nextCursor ?? undefined;
    pages += 1;
    await between();
  } while (cursor !== undefined);
  return { ids, pages };
};

describe('the list of decisions', () => {
  test('has those of the workspace, newest first, and nothing of another or of nobody', async () => {
    const [own, other] = [newId('wsp'), newId('wsp')];
    const first = await decide({ workspace_id: own, inbox_id: 'inb_1', rcpt_to: 'agent@shared.test' });
    await decide({ workspace_id: other, rcpt_to: 'agent@shared.test' });
    await decide({ rcpt_to: 'agnet@shared.test', ...refusal });
    await decide({ rcpt_to: null, ...refusal });
    const last = await decide({ workspace_id: own, ...refusal });
    expect(await idsOf(own)).toEqual([last, first]);
    expect(viewDecision((await list(own)).rows[1] as never)).toEqual({
      id: first,
      at: later,
      verdict: 'accepted',
      reply: '250 2.0.0 Ok',
      remote_address: '192.0.2.7',
      helo: 'mx.example.com',
      mail_from: 'ada@example.com',
      rcpt_to: 'agent@shared.test',
      inbox_id: 'inb_1',
      message_id: null,
      session_id: 'session',
    });
  });

  test('has mail for unknown addresses at a hostname since the workspace proved it, in any spelling', async () => {
    const own = await ownerOf('acme.test', '2027-03-01T00:00:00.000Z');
    await decide({ rcpt_to: 'suport@acme.test', at: '2027-02-28T23:59:59.999Z', ...refusal });
    const plain = await decide({ rcpt_to: 'suport@acme.test', ...refusal });
    const odd = await decide({ rcpt_to: '"a@b"@ACME.test.', ...refusal });
    for (const rcpt_to of [
      'a@sub.acme.test',
      'a@acme.test.evil.test',
      'a@notacme.test',
      'acme.test@evil.test',
    ])
      await decide({ rcpt_to, ...refusal });
    expect(await idsOf(own)).toEqual([odd, plain]);
    expect(await idsOf(own, { query: 'SUPORT@' })).toEqual([plain]);
    expect(await idsOf(own, { inbox_id: 'inb_1' })).toEqual([]);
    expect(await idsOf(await ownerOf('beta.test', later))).toEqual([]);
  });

  test('has mail for a hostname of other scripts in both of its spellings', async () => {
    const own = await ownerOf('xn--bcher-kva.test', '2027-03-01T00:00:00.000Z');
    const ids = [
      await decide({ rcpt_to: 'a@xn--bcher-kva.test', ...refusal }),
      await decide({ rcpt_to: 'a@Bücher.test', ...refusal }),
    ];
    expect(await idsOf(own)).toEqual(ids.toReversed());
  });

  test('shows mail for a hostname to the workspace that owns it now, and not what came before', async () => {
    const before = await ownerOf('moved.test', '2027-03-01T00:00:00.000Z');
    await decide({ rcpt_to: 'a@moved.test', ...refusal });
    const after = await ownerOf('moved.test', '2027-03-02T00:00:00.000Z');
    const unproven = await ownerOf('moved.test', null);
    const id = await decide({ rcpt_to: 'a@moved.test', at: '2027-03-02T00:00:01.000Z', ...refusal });
    expect([await idsOf(before), await idsOf(after), await idsOf(unproven)]).toEqual([[], [id], []]);
  });

  test('is narrowed by verdict, inbox, and a part of sender, recipient, host or reply', async () => {
    const own = newId('wsp');
    const one = await decide({ workspace_id: own, inbox_id: 'inb_1', mail_from: 'Grace@Navy.example' });
    const two = await decide({ workspace_id: own, inbox_id: 'inb_2', helo: 'relay_1.example', ...refusal });
    expect(await idsOf(own, { verdict: 'refused' })).toEqual([two]);
    expect(await idsOf(own, { inbox_id: 'inb_1' })).toEqual([one]);
    expect(await idsOf(own, { query: 'grace@navy' })).toEqual([one]);
    expect(await idsOf(own, { query: 'RELAY_1' })).toEqual([two]);
    expect(await idsOf(own, { query: '5.1.1 no such' })).toEqual([two]);
    expect(await idsOf(own, { query: '192.0.2.7' })).toEqual([two, one]);
    expect(await idsOf(own, { query: 'grace', verdict: 'refused' })).toEqual([]);
  });

  test.each([
    ['%', 1],
    ['_', 1],
    ['\\', 1],
    ['a%b', 0],
    ["'", 0],
    ['x'.repeat(300), 0],
  ])('takes %s in a search as it is', async (query, found) => {
    const own = newId('wsp');
    await decide({ workspace_id: own });
    await decide({ workspace_id: own, mail_from: '50%_\\@example.com' });
    expect(await idsOf(own, { query })).toHaveLength(found);
  });

  test('pages through both kinds without gaps or repetitions while mail comes in', async () => {
    const host = 'busy.test';
    const own = await ownerOf(host, '2027-03-01T00:00:00.000Z');
    const next = (n: number) =>
      decide(n % 3 ? { workspace_id: own } : { rcpt_to: `a${n}@${host}`, ...refusal });
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push(await next(n));
    let more = 0;
    for (const query of [{}, { query: 'e' }]) {
      const expected = await idsOf(own, query);
      const found = await allIds(own, { ...query, limit: 3 }, async () => void (await next(more++)));
      expect(found.ids).toEqual(expected);
    }
  });

  test('looks through a bounded number of decisions for each page of a flood', async () => {
    const host = 'flood.test';
    const own = await ownerOf(host, '2027-03-01T00:00:00.000Z');
    const wanted = [
      await decide({ workspace_id: own, mail_from: 'wanted@example.com' }),
      await decide({ rcpt_to: `wanted@${host}`, ...refusal }),
    ];
    await database.pool.query(
      `insert into smtp_decisions (at, session_id, remote_address, mail_from, rcpt_to, verdict, reply)
         select $1, 's', '192.0.2.9', 'spam@example.com', 'x' || n || '@${host}', 'refused', '550' from generate_series(1, $2::int) n`,
      [later, examinedMax],
    );
    const first = await list(own, { query: 'wanted' });
    expect(first.rows).toEqual([]);
    expect(first.nextCursor).not.toBeNull();
    const found = await allIds(
      own,
      { query: 'wanted' },
      async () => void (await decide({ workspace_id: own })),
    );
    expect(found).toEqual({ ids: wanted.toReversed(), pages: 3 });
  });

  test('records a recipient with a host longer than an entry of an index', async () => {
    await expect(decide({ rcpt_to: `a@${'é'.repeat(998)}`, ...refusal })).resolves.toMatch(/^\d+$/);
  });

  test('refuses a cursor that it did not make', async () => {
    for (const cursor of [
      '',
      'x',
      Buffer.from('["1; drop"]').toString('base64url'),
      Buffer.from('["9999999999999999999"]').toString('base64url'),
    ])
      await expect(list(newId('wsp'), { cursor })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('the list of unknown recipients', () => {
  const operator = newId('wsp');
  const unknown = (query: Partial<ListDecisions> = {}, workspaceId = operator) =>
    listUnknownRecipients({ db: database.db, workspaceId }, { limit: 100, ...query });
  const found = async (query: Partial<ListDecisions>) =>
    (await unknown(query)).rows.map((row) => viewDecision(row).id);

  test('has refusals of addresses that no inbox has, newest first, and no other refusal', async () => {
    const one = await decide({ rcpt_to: 'suport@unknown.test', ...refusal });
    await decide({ rcpt_to: 'a@unknown.test', verdict: 'refused', reply: '552 5.3.4 Too large' });
    await decide({ workspace_id: newId('wsp'), rcpt_to: 'b@unknown.test', ...refusal });
    await decide({ rcpt_to: null, helo: 'unknown.test', ...refusal });
    const two = await decide({ rcpt_to: 'SALE@UNKNOWN.test', ...refusal });
    expect(await found({ query: '@unknown.test' })).toEqual([two, one]);
    const first = await unknown({ query: '@unknown.test', limit: 1 });
    const second = await unknown({ query: '@unknown.test', cursor: first.nextCursor ?? '' });
    expect(second.rows.map(({ id }) => String(id))).toEqual([one]);
  });

  test('leaves out what another workspace sees, because the hostname is one that it has verified', async () => {
    const owner = await ownerOf('verified.test', later);
    await ownerOf('xn--mnchen-3ya.test', later);
    await ownerOf('claimed.test', null);
    await decide({ rcpt_to: 'suport@Verified.test.', mail_from: 'hosts@of.test', ...refusal });
    await decide({ rcpt_to: 'suport@münchen.test', mail_from: 'hosts@of.test', ...refusal });
    const others = await decide({ rcpt_to: 'suport@claimed.test', mail_from: 'hosts@of.test', ...refusal });
    expect(await found({ query: 'hosts@of.test' })).toEqual([others]);
    const own = await unknown({ query: 'hosts@of.test' }, owner);
    expect(own.rows.map(({ rcpt_to }) => rcpt_to)).toEqual(['suport@claimed.test', 'suport@Verified.test.']);
  });

  test('reads no hostname that none of its decisions names', async () => {
    await ownerOf('named.test', later);
    await ownerOf('unnamed.test', later);
    await decide({ rcpt_to: 'a@NAMED.test', mail_from: 'few@hosts.test', ...refusal });
    const { db, selects } = recordQueries(database.db);
    await listUnknownRecipients({ db, workspaceId: operator }, { limit: 100, query: 'few@hosts.test' });
    const asked = selects.find(({ sql }) => sql.includes('verified_hostnames'));
    const { rows } = await database.pool.query(asked!.sql, [...asked!.parameters]);
    expect(rows).toEqual([{ hostname: 'named.test' }]);
  });

  test('looks through a bounded number of decisions for each page', async () => {
    const wanted = await decide({ rcpt_to: 'far@away.test', ...refusal });
    await database.pool.query(
      `insert into smtp_decisions (at, session_id, remote_address, rcpt_to, verdict, reply)
         select $1, 's', '192.0.2.9', 'x@flood.test', 'accepted', '250' from generate_series(1, $2::int)`,
      [later, examinedMax],
    );
    const first = await unknown({ query: 'far@away.test' });
    expect(first.rows).toEqual([]);
    expect(await found({ query: 'far@away.test', cursor: first.nextCursor ?? '' })).toEqual([wanted]);
  });
});
