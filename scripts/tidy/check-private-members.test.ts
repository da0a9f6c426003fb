import { expect, it } from 'vitest';
import { checkPrivateMembers } from './check-private-members.ts';
import { findPrivateMembers } from './find-private-members.ts';
import { parseSource } from './source-file.ts';

const path = 'server/src/mail/x.ts';
const listMembers = (text: string) => findPrivateMembers(parseSource(path, text)).map(({ member }) => member);

it('finds names with an underscore, and not those of streams and protocols', () => {
  expect(listMembers('a._socket; b?._parser; c["_secret"]; const { _d, _e: e } = f;')).toEqual([
    '_socket',
    '_parser',
    '_secret',
    '_d',
    '_e',
  ]);
  expect(listMembers('interface A { _rows: unknown } class B { _run() {} }')).toEqual(['_rows', '_run']);
  expect(
    listMembers('class A { override _transform() {} } a._meta; const _b = 1; (_c: string) => _c;'),
  ).toEqual([]);
});

it('finds files inside of packages, and not the exports of packages or of our own', () => {
  const text = `
    import a from 'one/lib/a.js';
    import type { B } from '@two/two/dist/b';
    const c = await import('three/src/c.js');
    import d from 'four/d'; import e from './lib/e.ts';
    import f from '@postrider/testkit/lib/f.ts'; import g from 'node:stream/promises';`;
  expect(listMembers(text)).toEqual(['lib/a.js', 'dist/b', 'src/c.js']);
});

it('finds the methods that replace those of a class from inside of a package', () => {
  const text = `import { Base } from 'one/lib/base.js';
    class A extends Base { override send() {} own() {} }
    class B extends Other { override send() {} }`;
  expect(listMembers(text)).toEqual(['lib/base.js', 'send']);
});

it('finds the members that a cast gives to a value of a package', () => {
  const inside = 'interface Inside { rows: Row[]; read(): void } interface Row { cell: string }';
  const cast = 'as unknown as Inside';
  const start = `import pg, { type Client } from 'pg'; ${inside} `;
  for (const text of [
    `pg.Client.prototype ${cast}`,
    `pg.Query as unknown as new (a: object) => Inside`,
    `function f(client: Client) { return client.get(1) ${cast}; }`,
    `class A { #client: Client; f() { return this.#client as object as Inside; } }`,
    `const client = new pg.Client(); const a = client ${cast};`,
  ])
    expect(listMembers(start + text)).toEqual(['rows', 'cell', 'read']);
  expect(listMembers(`${start} function f(pg: string) { return pg ${cast}; }`)).toEqual([]);
  expect(listMembers(`${start} own.value ${cast}; pg.a as Inside; pg.b as unknown as Other;`)).toEqual([]);
});

it('wants the list to be complete, in use, and read in the installed version', () => {
  const list = [{ name: 'pg', version: '8.0.0', files: { [path]: ['_a', '_gone'] } }];
  const files = [parseSource(path, 'x._a;\nx._b;')];
  const check = (version: string | null) => checkPrivateMembers(files, list, () => version);
  expect(check('8.0.0')).toEqual([
    { path, line: 2, message: expect.stringContaining('_b is private') },
    expect.objectContaining({ message: `not used any more: ${path} _gone` }),
  ]);
  expect(check('8.0.1')).toContainEqual(
    expect.objectContaining({
      message: expect.stringContaining('pg is 8.0.1, and its members were read in 8.0.0'),
    }),
  );
  expect(check(null)).toContainEqual(expect.objectContaining({ message: 'pg is not installed' }));
});
