import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { systemClock } from '../lib/clock.ts';
import { changeWorkspace, createWorkspace } from '../workspaces/manage-workspaces.ts';
import type { AdminDeps } from './command.ts';
import { findNamed } from './named-workspace.ts';

let database: Database;
let deps: AdminDeps;

beforeEach(async () => {
  database = await openFreshDatabase();
  deps = { db: database.db, clock: systemClock, config: { bootstrap: null } } as unknown as AdminDeps;
});
afterEach(() => database.close());

const make = async (name: string) => {
  const made = await createWorkspace(deps, { name, plan: 'free', isTest: false });
  if (!made) throw new Error(`There is already a workspace ${name}.`);
  return made;
};

test('without --workspace, a verb is about the workspace that the server made first', async () => {
  const first = await make('default');
  await make('shop');
  expect(await findNamed(deps)).toMatchObject(first);
  expect(await findNamed(deps, 'shop')).toMatchObject({ name: 'shop' });
});

test('once that has another name, it is about the only workspace, or says which ones there are', async () => {
  await expect(findNamed(deps)).rejects.toThrow('"workspaces create" creates one');
  const first = await make('default');
  const gone = await make('gone');
  await database.pool.query('update workspaces set deleted_at = now() where id = $1', [gone.id]);
  await changeWorkspace(deps, first, { name: 'acme' });
  expect(await findNamed(deps)).toMatchObject({ id: first.id, name: 'acme' });
  await make('shop');
  await expect(findNamed(deps)).rejects.toThrow('name one with --workspace. There are acme, shop.');
  for (let n = 0; n < 10; n++) await make(`more-${n}`);
  await expect(findNamed(deps)).rejects.toThrow('more-7, and 2 more.');
});
