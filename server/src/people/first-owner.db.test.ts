import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { systemClock } from '../lib/clock.ts';
import { verifyPassword } from '../lib/crypto/hash-password.ts';
import { createWorkspace } from '../workspaces/manage-workspaces.ts';
import { adoptWorkspaces, createFirstOwner } from './first-owner.ts';

let database: Database;
let deps: Pick<Deps, 'db' | 'clock' | 'config'>;

const configured = (config: Partial<Deps['config']>) => ({
  ...deps,
  config: { mailDomain: 'mail.example', consoleAdmin: null, bootstrap: null, ...config } as Deps['config'],
});
const rows = async (text: string) => (await database.pool.query(text)).rows as Record<string, unknown>[];
const roles = () =>
  rows(
    `select email, workspaces.name, role from memberships join people on people.id = person_id
       join workspaces on workspaces.id = workspace_id order by 1, 2`,
  );
const makeWorkspaces = async (...names: string[]) => {
  for (const name of names) await createWorkspace(deps, { name, plan: 'free', isTest: false });
};

beforeEach(async () => {
  database = await openFreshDatabase();
  deps = { db: database.db, clock: systemClock, config: {} as Deps['config'] };
});
afterEach(() => database.close());

test('the first start makes an owner of every workspace, whose password is returned once and stored as a hash', async () => {
  await makeWorkspaces('one', 'two');
  const made = await createFirstOwner(configured({}));
  expect(made).toEqual({
    email: 'owner@mail.example',
    password: expect.stringMatching(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/),
  });
  const [{ password_hash } = {}] = await rows('select password_hash from people');
  expect(await verifyPassword(made?.password ?? '', String(password_hash))).toBe(true);
  expect(await roles()).toEqual([
    { email: 'owner@mail.example', name: 'one', role: 'owner' },
    { email: 'owner@mail.example', name: 'two', role: 'owner' },
  ]);
  expect(await createFirstOwner(configured({}))).toBeNull();
});

test('of several processes that start at once, one makes the owner', async () => {
  const made = await Promise.all([1, 2, 3].map(() => createFirstOwner(configured({}))));
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await rows('select id from people')).toHaveLength(1);
});

test('a configured owner signs in with the configured password, which is not returned', async () => {
  const consoleAdmin = { email: 'ada@people.example', password: 'a long password' };
  expect(await createFirstOwner(configured({ consoleAdmin }))).toBeNull();
  const [{ email, password_hash } = {}] = await rows('select email, password_hash from people');
  expect(email).toBe('ada@people.example');
  expect(await verifyPassword('a long password', String(password_hash))).toBe(true);
});

test('a configured owner has no effect once there are people', async () => {
  await createFirstOwner(configured({}));
  const consoleAdmin = { email: 'owner@mail.example', password: 'a long password' };
  await createFirstOwner(configured({ consoleAdmin }));
  const [{ password_hash } = {}] = await rows('select password_hash from people');
  expect(await verifyPassword('a long password', String(password_hash))).toBe(false);
});

test('with configured workspaces, no owner is made and nothing is returned', async () => {
  expect(await createFirstOwner(configured({ bootstrap: [] }))).toBeNull();
  expect(await rows('select id from people')).toEqual([]);
});

test('a workspace that has nobody gets the operator, once, and others stay as they are', async () => {
  await adoptWorkspaces(configured({}));
  await makeWorkspaces('one');
  await createFirstOwner(configured({}));
  await makeWorkspaces('two');
  await Promise.all([adoptWorkspaces(configured({})), adoptWorkspaces(configured({}))]);
  expect(await roles()).toEqual([
    { email: 'owner@mail.example', name: 'one', role: 'owner' },
    { email: 'owner@mail.example', name: 'two', role: 'owner' },
  ]);
  expect(await rows('select action from audit_entries')).toHaveLength(2);
});

test('somebody who is no longer an owner of the first workspace gets no other one', async () => {
  await makeWorkspaces('one');
  await createFirstOwner(configured({}));
  await rows(`update memberships set role = 'member'`);
  await makeWorkspaces('two');
  await adoptWorkspaces(configured({}));
  expect(await roles()).toEqual([{ email: 'owner@mail.example', name: 'one', role: 'member' }]);
});

test('the owner of the next workspace is not the operator, also once the first one is deleted', async () => {
  await makeWorkspaces('one');
  await createFirstOwner(configured({}));
  await makeWorkspaces('two');
  await rows(
    `insert into people (id, email, name, created_at) values ('usr_eve', 'eve@customer.example', 'Eve', now())`,
  );
  await rows(
    `insert into memberships select id, 'usr_eve', 'owner', now() from workspaces where name = 'two'`,
  );
  await rows(`delete from memberships where person_id != 'usr_eve'`);
  await rows(`update workspaces set deleted_at = now() where name = 'one'`);
  await makeWorkspaces('three');
  await adoptWorkspaces(configured({}));
  expect(await roles()).toEqual([{ email: 'eve@customer.example', name: 'two', role: 'owner' }]);
});

test('configured workspaces, which may be of different people, are for the configured owner alone', async () => {
  await makeWorkspaces('one');
  const consoleAdmin = { email: 'ada@people.example', password: 'a long password' };
  await createFirstOwner(configured({ bootstrap: [], consoleAdmin }));
  await makeWorkspaces('two');
  await adoptWorkspaces(configured({ bootstrap: [] }));
  await adoptWorkspaces(
    configured({ bootstrap: [], consoleAdmin: { ...consoleAdmin, email: 'eve@x.example' } }),
  );
  expect(await roles()).toHaveLength(1);
  await adoptWorkspaces(configured({ bootstrap: [], consoleAdmin }));
  expect((await roles()).map(({ name }) => name)).toEqual(['one', 'two']);
});
