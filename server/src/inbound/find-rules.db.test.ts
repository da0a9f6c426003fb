import { plans } from '@postrider/contract';
import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import {
  anyAddress,
  anyRules,
  modelDecision,
  type Spelled,
  type WrittenRule,
} from '@postrider/testkit/lib/rule-model.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../context.ts';
import { findAddressees } from '../inboxes/find-inbox.ts';
import { createTimeScale } from '../lib/clock.ts';
import { normalizeAddress } from '../lib/email-address.ts';
import { newId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { findSender } from '../outbound/find-sender.ts';
import { readPattern } from '../rules/create-rule.ts';
import { decideRule, findInboundRules } from '../rules/decide-rule.ts';

let store: MailStore;
let own: { inboxId: string; address: string };

beforeAll(async () => {
  store = await openMailStore(1);
  const inboxId = await store.inbox();
  const [row] = await store.rows<{ address: string }>('select address from inboxes where id = $1', [inboxId]);
  own = { inboxId, address: row!.address };
  await store.rows(
    'insert into addresses (address, workspace_id, inbox_id) values ($1, $2, $3) on conflict do nothing',
    [own.address, store.workspaceId, inboxId],
  );
});
afterAll(() => store.close());

const replaceRules = async (rules: WrittenRule[]): Promise<void> => {
  await store.rows('delete from rules');
  const rows = rules.map(({ kind, direction, pattern }) => ({
    id: newId('rul'),
    kind,
    direction,
    pattern: readPattern(pattern.text),
  }));
  await store.rows(
    `insert into rules (workspace_id, id, kind, direction, pattern, created_at)
      select $1, id, kind, direction, pattern, $2 from jsonb_to_recordset($3) as r(id text, kind text, direction text, pattern text)
      on conflict do nothing`,
    [store.workspaceId, new Date(), JSON.stringify(rows)],
  );
};

const outbound = async (addresses: Spelled[]): Promise<(string | null)[]> => {
  const ctx = {
    ...store.deps,
    workspaceId: store.workspaceId,
    scope: wholeWorkspace,
    actor: { kind: 'key', id: newId('key') },
    plan: 'business',
    config: { plans },
    clock: { now: () => new Date() },
    timeScale: createTimeScale(1),
    transport: {},
  } as unknown as Context;
  const spelled = addresses.map(({ text }) => normalizeAddress(text) ?? '');
  const sender = { inboxId: own.inboxId, clientId: null, hasAttachments: false };
  const request = { ...sender, addresses: spelled, conversation: null };
  const { rules } = await findSender(ctx, request);
  return spelled.map((address) => decideRule(rules, address)?.kind ?? null);
};

const byAuthor = async (addresses: Spelled[]): Promise<(string | null)[]> => {
  const senders = addresses.map(({ text }) => text);
  const rules = await findInboundRules(store.deps, { workspaceId: store.workspaceId, senders });
  return senders.map((sender) => decideRule(rules, sender)?.kind ?? null);
};

const blockedByEnvelope = async (addresses: Spelled[]): Promise<(boolean | undefined)[]> => {
  const mails = addresses.map(({ text }) => ({ recipient: own.address, sender: text }));
  return (await findAddressees(store.deps, mails)).map((addressee) => addressee?.isBlocked);
};

test('what is looked up for a send, at RCPT and after DATA decides as a look at every rule does', async () => {
  const addresses = fc.array(anyAddress, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(anyRules, addresses, async (rules, asked) => {
      await replaceRules(rules);
      const inbound = asked.map((address) => modelDecision(rules, 'inbound', address));
      expect(await outbound(asked)).toEqual(
        asked.map((address) => modelDecision(rules, 'outbound', address)),
      );
      expect(await byAuthor(asked)).toEqual(inbound);
      expect(await blockedByEnvelope(asked)).toEqual(inbound.map((kind) => kind === 'block'));
    }),
    { numRuns: 300 },
  );
});

test('an inbox says whether its workspace has rules for inbound mail, however many it has for what it sends', async () => {
  const asked = async () =>
    (await findAddressees(store.deps, [{ recipient: own.address, sender: '' }]))[0]?.inbox.hasInboundRules;
  const spelled = (text: string): Spelled => ({ text, local: null, domain: text });
  await replaceRules([{ kind: 'block', direction: 'outbound', pattern: spelled('x.example') }]);
  expect(await asked()).toBe(false);
  for (const direction of ['inbound', 'both'] as const) {
    await replaceRules([{ kind: 'allow', direction, pattern: spelled('x.example') }]);
    expect(await asked()).toBe(true);
  }
});

/** Rows of the lists that were read, by index or not; the one connection tells at once what it has counted. */
const readRows = async (): Promise<number> => {
  await store.rows('select pg_stat_force_next_flush()');
  const [row] = await store.rows<{ read: string }>(
    `select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_user_tables where relname = 'rules'`,
  );
  return Number(row?.read);
};

test('what is looked up reads a few rules, however many there are of all workspaces', async () => {
  await store.rows(`insert into rules (workspace_id, id, kind, direction, pattern, created_at)
    select 'wsp_' || n % 100, 'rul_' || n, 'block', 'both', 'n' || n || '.example', now() from generate_series(1, 20000) n`);
  await store.rows(
    `insert into rules (workspace_id, id, kind, direction, pattern, created_at)
      select $1, 'own_' || n, 'block', 'both', 'n' || n || '.example', now() from generate_series(1, 5000) n`,
    [store.workspaceId],
  );
  await store.rows('vacuum analyze rules');
  const asked = ['ada@n17.example', 'ada+x@mail.n18.example', 'bob@other.example'].map(
    (text): Spelled => ({ text, local: null, domain: '' }),
  );
  const before = await readRows();
  expect(await outbound(asked)).toEqual(['block', 'block', null]);
  expect(await byAuthor(asked)).toEqual(['block', 'block', null]);
  expect(await blockedByEnvelope(asked)).toEqual([true, true, false]);
  expect((await readRows()) - before).toBeLessThan(50);
});
