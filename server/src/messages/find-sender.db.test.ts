import { plans } from '@postrider/contract';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type MailStore, openMailStore } from '../../test/harness/stored-mail.ts';
import type { Context } from '../context.ts';
import { newId } from '../lib/ids.ts';
import { createSandboxTransport } from '../mail/sandbox-transport.ts';
import type { Transport } from '../mail/transport.ts';
import { createWorkspace } from '../workspaces/manage-workspaces.ts';
import { findSender } from './find-sender.ts';

const isPostgres = inject('testDatabases').kind === 'postgres';
let store: MailStore;
/** Workspaces by what the test calls them. */
const ids = { own: '', other: '', test: '', 'other test': '' };

const unused = () => Promise.reject(new Error('Nothing is sent here.'));
const sandbox = createSandboxTransport({ isLocal: unused, deliverLocally: unused });
const relay: Transport = { name: 'relay', submit: unused, check: unused, close: unused };

beforeAll(async () => {
  store = await openMailStore(1);
  ids.own = store.workspaceId;
  const clock = { now: () => new Date() };
  const make = async (name: string, isTest: boolean) =>
    (await createWorkspace({ ...store.deps, clock }, { name, plan: 'business', isTest }))!.id;
  ids.other = await make('other', false);
  ids.test = await make('test', true);
  ids['other test'] = await make('other-test', true);
});
afterAll(() => store.close());

const addAddress = (address: string, owner: keyof typeof ids, heldUntil: Date | null = null) =>
  store.rows('insert into addresses (address, workspace_id, inbox_id, held_until) values ($1, $2, $3, $4)', [
    address,
    ids[owner],
    newId('inb'),
    heldUntil,
  ]);

const findHere = async (sender: 'own' | 'test', addresses: string[], transport = sandbox) => {
  const ctx = {
    ...store.deps,
    workspaceId: ids[sender],
    plan: 'business',
    isTest: sender === 'test',
    transport,
    testTransport: sandbox,
    config: { plans },
    clock: { now: () => new Date() },
  } as unknown as Context;
  const request = { inboxId: 'inb_x', clientId: null, addresses, hasAttachments: false };
  return [...(await findSender(ctx, request)).here].sort();
};

test('who is here: inboxes of all workspaces, with and without a plus tag, and none that was deleted', async () => {
  await addAddress('mine@here.test', 'own');
  await addAddress('theirs@here.test', 'other');
  await addAddress('tested@here.test', 'test');
  await addAddress('gone@here.test', 'own', new Date('2100-01-01'));
  await addAddress('gone+tag@here.test', 'own', new Date('2100-01-01'));
  await addAddress('tagged+x@here.test', 'own');
  const here = [
    'mine+a+b@here.test',
    'mine@here.test',
    'tagged+x@here.test',
    'tested@here.test',
    'theirs@here.test',
  ];
  const away = ['gone+tag@here.test', 'gone@here.test', 'tagged@here.test', 'mine@elsewhere.test'];
  expect(await findHere('own', [...here, ...away])).toEqual(here);
});

test('a deleted inbox with a plus in its address leaves its mail to the one without', async () => {
  await addAddress('old+x@here.test', 'own', new Date('2100-01-01'));
  await addAddress('old@here.test', 'own');
  expect(await findHere('own', ['old+x@here.test'])).toEqual(['old+x@here.test']);
});

test('a test workspace reaches inboxes of test workspaces only, also by a plus tag', async () => {
  await addAddress('live@here.test', 'own');
  await addAddress('trial@here.test', 'test');
  await addAddress('others@here.test', 'other test');
  await addAddress('trial+live@here.test', 'own');
  const here = ['others@here.test', 'trial+a@here.test', 'trial@here.test'];
  expect(await findHere('test', [...here, 'live@here.test', 'trial+live@here.test'])).toEqual(here);
});

test('nobody is here for a way out that does not ask', async () => {
  await addAddress('relayed@here.test', 'own');
  expect(await findHere('own', ['relayed@here.test'], relay)).toEqual([]);
});

/** Rows that were read, by index or not; the one connection tells at once what it has counted. */
const readRows = async (): Promise<number> => {
  await store.rows('select pg_stat_force_next_flush()');
  const [row] = await store.rows<{ read: string }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as read from pg_stat_user_tables
      where relname in ('addresses', 'workspaces')`,
  );
  return Number(row?.read);
};

test.runIf(isPostgres)('a few rows are read for who is here, however many inboxes there are', async () => {
  await store.rows(
    `insert into workspaces (id, name, plan, is_test, created_at)
      select 'wsp_' || n, 'name-' || n, 'free', false, now() from generate_series(1, 5000) n`,
  );
  await store.rows(
    `insert into addresses (address, workspace_id, inbox_id)
      select 'n' || n || '@many.test', 'wsp_' || n, 'inb_' || n from generate_series(1, 5000) n`,
  );
  await store.rows('vacuum analyze addresses, workspaces');
  const here = Array.from({ length: 50 }, (_, index) => `n${index + 1}@many.test`).sort();
  const away = Array.from({ length: 50 }, (_, index) => `n${index}@elsewhere.test`);
  const before = await readRows();
  expect(await findHere('own', [...here, ...away])).toEqual(here);
  expect((await readRows()) - before).toBeLessThanOrEqual(100);
});
