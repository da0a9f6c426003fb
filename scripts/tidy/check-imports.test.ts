import { describe, expect, it } from 'vitest';
import { checkImports, listImports } from './check-imports.ts';
import { parseSource } from './source-file.ts';

const checkMessages = (path: string, text: string): string[] =>
  checkImports([parseSource(path, text)]).map(({ message }) => message);

describe('layers of the server', () => {
  const from = (path: string, specifier: string, type = '') =>
    checkMessages(`server/src/${path}`, `import ${type} { x } from '${specifier}';`);

  it('lets a file import lower layers, its own folder and its neighbours', () => {
    expect(from('drafts/send-draft.ts', '../inboxes/find-inbox.ts')).toEqual([]);
    expect(from('outbound/send-message.ts', '../inboxes/find-inbox.ts')).toEqual([]);
    expect(from('outbound/send-message.ts', './lease.ts')).toEqual([]);
    expect(from('threads/read-threads.ts', '../labels/list-labels.ts')).toEqual([]);
    expect(from('db/database.ts', './entities.ts')).toEqual([]);
    expect(from('app.ts', './http/router.ts')).toEqual([]);
  });

  it('refuses a higher layer and says what to do, also for a type', () => {
    expect(from('workspaces/end-key.ts', '../messages/lease.ts')).toEqual([
      'workspaces/ is in the layer tenancy and messages/ in mail, which is higher; move what both need down, or take it as a parameter',
    ]);
    expect(from('lib/ids.ts', '../people/members.ts', 'type')).toHaveLength(1);
    expect(from('delivery/dispatch.ts', '../db/entities.ts')).toHaveLength(1);
  });

  it('refuses circles within a layer, however long, and names each import on them', () => {
    const circle = (...ways: [path: string, specifier: string, type?: string][]) =>
      checkImports(
        ways.map(([path, specifier, type = '']) =>
          parseSource(`server/src/${path}`, `import ${type} { x } from '${specifier}';`),
        ),
      ).map(({ path }) => path);
    const [one, two, three]: [string, string][] = [
      ['threads/a.ts', '../labels/b.ts'],
      ['labels/b.ts', '../drafts/c.ts'],
      ['drafts/c.ts', '../threads/d.ts'],
    ];
    expect(circle(one!, two!)).toEqual([]);
    expect(circle(one!, two!, three!, ['webhooks/d.ts', '../threads/a.ts'])).toEqual(
      ['threads/a.ts', 'labels/b.ts', 'drafts/c.ts'].map((path) => `server/src/${path}`),
    );
    // The foundation is known by interface, and composition is one.
    expect(circle(['jobs/a.ts', '../db/b.ts', 'type'], ['db/b.ts', '../jobs/a.ts'])).toEqual([]);
    expect(circle(['jobs/a.ts', '../db/b.ts'], ['db/b.ts', '../jobs/a.ts'])).toHaveLength(2);
    expect(circle(['http/a.ts', '../console/b.ts'], ['console/b.ts', '../http/a.ts'])).toEqual([]);
  });

  it('lets mail know no database at all', () => {
    expect(from('mail/transports/relay.ts', '../../db/database.ts', 'type')).toHaveLength(1);
  });

  it('lets others import the search by its index alone, and its entities', () => {
    expect(from('threads/search-threads.ts', '../search/query/search-messages.ts')).toEqual([
      'search/ has one way in; import it from search/index.ts',
    ]);
    expect(from('threads/search-threads.ts', '../search/index.ts')).toEqual([]);
    expect(from('db/entities.ts', '../search/search.entity.ts')).toEqual([]);
    expect(from('search/query/score.ts', '../text/word-forms.ts')).toEqual([]);
  });

  it('lets any file import an entity, and a view another view', () => {
    expect(from('inboxes/find-inbox.ts', '../messages/message.entity.ts')).toEqual([]);
    expect(from('attachments/attachment.view.ts', '../messages/message.view.ts')).toEqual([]);
    expect(from('workspaces/find-key.ts', '../messages/message.view.ts')).toHaveLength(1);
  });

  it('wants every file in a layer', () => {
    expect(from('carts/add-cart.ts', 'node:fs')).toEqual([expect.stringContaining('is in no layer')]);
  });

  it('sees dynamic imports, exports and types in place', () => {
    const text = `export { a } from '../messages/a.ts'; const b = await import('../messages/b.ts');
      type C = import('../messages/c.ts').C; import d, { type E } from '../messages/d.ts';`;
    expect(checkMessages('server/src/workspaces/x.ts', text)).toHaveLength(4);
  });

  it('leaves tests alone: they may set up anything', () => {
    expect(checkMessages('server/src/lib/x.test.ts', "import { x } from '../messages/y.ts';")).toEqual([]);
  });
});

describe('packages', () => {
  const from = (path: string, specifier: string) => checkMessages(path, `import { x } from '${specifier}';`);

  it('keeps the contract free of everything but zod and ts-rest', () => {
    expect(from('contract/src/inboxes.ts', 'zod')).toEqual([]);
    expect(from('contract/src/inboxes.ts', '@ts-rest/core')).toEqual([]);
    expect(from('contract/src/inboxes.ts', 'node:crypto')).toHaveLength(1);
    expect(from('contract/src/inboxes.ts', 'zod-openapi')).toHaveLength(1);
  });

  it('keeps packages but ky, the contract and static Node imports out of the SDK', () => {
    expect(from('sdk/src/calls/call.ts', 'ky')).toHaveLength(1);
    expect(from('sdk/src/calls/retry.ts', 'ky')).toEqual([]);
    expect(from('sdk/src/calls/call.ts', 'zod')).toHaveLength(1);
    expect(from('sdk/src/calls/call.ts', '@postrider/contract')).toHaveLength(1);
    expect(from('sdk/src/calls/call.ts', 'node:fs')).toHaveLength(1);
    expect(checkMessages('sdk/src/calls/call.ts', "import type { A } from '@postrider/contract';")).toEqual(
      [],
    );
    expect(checkMessages('sdk/src/calls/call.ts', "const fs = await import('node:fs');")).toEqual([]);
  });

  it('lets the server load its optional packages only when they are needed', () => {
    expect(from('server/src/embedding/open-local.ts', '@postrider/embeddings')).toHaveLength(1);
    const load = "await import('@postrider/embeddings');";
    expect(checkMessages('server/src/embedding/open-local.ts', load)).toEqual([]);
  });

  it('keeps ts-rest in two files of the server', () => {
    expect(from('server/src/routes.ts', '@ts-rest/express')).toEqual([]);
    expect(from('server/src/http/router.ts', '@ts-rest/express')).toEqual([]);
    expect(from('server/src/inboxes/inboxes.routes.ts', '@ts-rest/express')).toHaveLength(1);
  });

  it('lets nothing import the server, by name or by path', () => {
    expect(from('examples/echo/main.ts', '@postrider/server')).toHaveLength(1);
    expect(from('sdk/src/client.ts', '../../server/src/config.ts')).toHaveLength(1);
    expect(from('server/src/delivery/dispatch.ts', 'postrider')).toHaveLength(1);
    expect(from('scripts/openapi.ts', '../contract/src/openapi.ts')).toEqual([]);
  });

  it('lets the benchmarks use the testkit, which uses the server, and nothing of the server itself', () => {
    expect(from('bench/main.ts', '@postrider/testkit/database/postgres.ts')).toEqual([]);
    expect(from('testkit/src/servers/test-server.ts', '../../../server/src/config.ts')).toEqual([]);
    expect(from('bench/main.ts', '../testkit/src/database/postgres.ts')).toHaveLength(1);
    expect(from('bench/main.ts', '../server/src/config.ts')).toHaveLength(1);
  });
});

it('tells imports of types from imports of values', () => {
  const text =
    "import type { A } from 'a'; import { type B } from 'b'; import { type C, d } from 'c'; import 'e';";
  const imports = listImports(parseSource('x.ts', text));
  expect(imports.map(({ typeOnly }) => typeOnly)).toEqual([true, true, false, false]);
});
