import { expect, it } from 'vitest';
import { checkFunctionTests } from './check-function-tests.ts';
import { parseSource } from './source-file.ts';

const folder = 'server/src/db/functions';
const created = [
  '-- Returns it.',
  'create or replace function add(a int) returns int language sql as $$ select a $$;',
  '',
  'create or replace function added() returns trigger language plpgsql as $$ begin end $$;',
].join('\n');

const findings = (test: string, testPath = `${folder}/add.db.test.ts`) =>
  checkFunctionTests([parseSource(`${folder}/sums/add.sql`, created), parseSource(testPath, test)]).map(
    ({ path, line, message }) => `${path}:${line} ${message.split(':')[0]}`,
  );

const add = `${folder}/sums/add.sql:2 add has no direct test`;
const added = `${folder}/sums/add.sql:4 added has no direct test`;

it('takes functions that a test beside them calls, and names of triggers', () => {
  expect(findings("test('added', () => one('add($1)', [1]));")).toEqual([]);
  expect(findings(['test(`added`, () => query(`select $', '{columns} from add(1)`));'].join(''))).toEqual([]);
});

it('refuses those that no statement of such a test calls', () => {
  expect(findings('')).toEqual([add, added]);
  expect(findings("test('add', f); // add(1) and added")).toEqual([add, added]);
  expect(findings("query('create or replace function add(a int)'); query('select added()');")).toEqual([add]);
  expect(findings("query('select add_up(1), readd(1), add');")).toEqual([add, added]);
});

it('looks for tests with a database in the folder of the functions only', () => {
  const test = "query('select add(1), added()');";
  expect(findings(test, `${folder}/add.test.ts`)).toEqual([add, added]);
  expect(findings(test, 'server/src/mail/add.db.test.ts')).toEqual([add, added]);
});
