import { expect, test } from 'vitest';
import { figures, fullFolders } from './figures.ts';
import { parseSource } from './source-file.ts';

const places = (name: string, sources: Record<string, string>) =>
  figures
    .find((one) => one.name === name)
    ?.places(Object.entries(sources).map(([path, text]) => parseSource(path, text)))
    .map(({ path, line }) => `${path}:${line}`);

test('a folder with more than 25 sources is full, and tests do not fill it', () => {
  const many = (count: number, end: string) =>
    Array.from({ length: count }, (_, index) => parseSource(`server/src/a/f${index}${end}`, ''));
  expect(fullFolders([...many(25, '.ts'), ...many(9, '.test.ts')])).toEqual(new Map());
  expect(fullFolders(many(26, '.ts'))).toEqual(new Map([['server/src/a', 26]]));
});

test('a small file with one user beside it counts, unless it has a test or is long', () => {
  const name = 'small files that one file of their folder uses';
  const user =
    "import { a } from './a.ts';\nimport { b } from './b.ts';\nimport { c } from './c.ts';\nimport { d } from '../d.ts';\n";
  const sources = {
    'server/src/x/user.ts': user,
    'server/src/x/a.ts': '',
    'server/src/x/b.ts': '',
    'server/src/x/b.db.test.ts': '',
    'server/src/x/c.ts': '\n'.repeat(60),
    'server/src/d.ts': '',
  };
  expect(places(name, sources)).toEqual(['server/src/x/a.ts:1']);
  expect(places(name, { ...sources, 'server/src/x/other.ts': "import { a } from './a.ts';" })).toEqual([]);
});

test('an insert names its columns', () => {
  const text = 'const a = sql`insert into t (a) values (1)`;\nconst b = sql`insert into t\n  select 1`;\n';
  expect(places('inserts that name no columns', { 'server/src/a.ts': text })).toEqual(['server/src/a.ts:2']);
});

test('what a module remembers counts, and its constants do not', () => {
  const text =
    "const a = new Map();\nconst b = new Map([['a', 1]]);\nlet c = 0;\nfunction f() {\n  let d = new Map();\n  return d;\n}\n";
  expect(places('memories of modules', { 'server/src/a.ts': text })).toEqual([
    'server/src/a.ts:1',
    'server/src/a.ts:3',
  ]);
});

test('comments are judged by their opening and their length, and texts of programs are not', () => {
  const long = `${'x'.repeat(141)}`;
  const text = `/** What it is. */\nconst a = '// Who ${long}';\n// ${long}\n// Whatever.\n`;
  expect(places('comments that open with What, Who or Whoever', { 'server/src/a.ts': text })).toEqual([
    'server/src/a.ts:1',
  ]);
  expect(places('lines of comments over 140 characters', { 'server/src/a.ts': text })).toEqual([
    'server/src/a.ts:3',
  ]);
});

test('a function is named by what it returns, and its uses do not count', () => {
  const text =
    'const pathsOf = () => [];\nexport async function sizeOf() {}\nconst a = pathsOf();\nconst offer = 1;\n';
  expect(places('functions named …Of', { 'server/src/a.ts': text, 'server/src/a.test.ts': text })).toEqual([
    'server/src/a.ts:1',
    'server/src/a.ts:2',
  ]);
});

test('locks without a name are counted where they are taken, in code and in SQL', () => {
  const text = 'const a = sql`select pg_advisory_xact_lock(1), pg_try_advisory_xact_lock_shared(2)`;\n';
  const named = "select pg_advisory_xact_lock(lock_key('inbox', id)), pg_advisory_xact_lock(lock);\n";
  const files = { 'server/src/a.ts': text, 'server/src/b.sql': named, 'server/src/db/locks.ts': text };
  expect(places('locks without a name', files)).toEqual(['server/src/a.ts:1', 'server/src/a.ts:1']);
});
