/*
 * Every route that a key may write to, called by a key that a policy holds: nothing leaves the server. A new route has to be decided
 * here.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { contract, listRoutes, routeAccess } from '@postrider/contract';
import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { routeRequests } from '@postrider/testkit/http/route-requests.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import { fillWorkspace } from '@postrider/testkit/servers/workspace-things.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

/** The calls by which a held key would send something; each is refused. */
const closed = [
  'messages.send',
  'messages.reply',
  'messages.forward',
  'drafts.send',
  'inboxes.update',
  'webhooks.create',
  'webhooks.update',
  'webhooks.test',
  'webhooks.rotateSecret',
  'deliveries.redeliver',
  'domains.create',
  'domains.subdomain',
];
/** The calls of a held key that write to this server only, or are about names that were there before. */
const harmless = [
  'inboxes.create',
  'inboxes.delete',
  'messages.update',
  'messages.delete',
  'threads.delete',
  'labels.create',
  'labels.delete',
  'labels.assign',
  'labels.unassign',
  'rules.create',
  'rules.delete',
  'suppressions.create',
  'suppressions.delete',
  'drafts.create',
  'drafts.update',
  'drafts.delete',
  'domains.verify',
  'domains.dmarc',
  'domains.delete',
  'webhooks.delete',
];

/** Deletions come last, and that of the inbox after all. */
function rankOf(name: string): number {
  return name === 'inboxes.delete' ? 2 : Number(name.endsWith('.delete'));
}

let dns: DnsServer;
let running: ServerWithSink;

beforeAll(async () => {
  dns = await startDnsServer(['.', 'example.com']);
  running = await startServerWithSink({ env: { POSTRIDER_DNS: dns.address } });
});
afterAll(async () => {
  await running?.stop();
  await dns?.close();
});

test('Interface 20 Leash: of every route that a held key may write to it is decided what leaves, and nothing does', async () => {
  const routes = listRoutes(contract).filter(({ route }) => routeAccess(route) !== 'read');
  expect(routes.map(({ name }) => name).sort()).toEqual([...closed, ...harmless].sort());

  const { server, sink } = running;
  const owner = await server.workspace();
  const { ids } = await fillWorkspace(server, owner);
  await owner.client.drafts.update(ids.draft, { subject: 'Later', text: 'Words.' });
  const place = { workspaceId: owner.id, level: 'workspace' as const, subjectId: owner.id };
  await setPolicy(server.server.deps, place, { send: 'never' }, operator);
  const countPosts = () =>
    server.rows(`select count(*) from webhook_deliveries where workspace_id = $1 and origin <> 'log'`, [
      owner.id,
    ]);
  const posts = await countPosts();
  const askedBefore = dns.asked.length;

  const order = routes.toSorted((a, b) => rankOf(a.name) - rankOf(b.name));
  const answers = new Map<string, string>();
  for (const { name, route } of order) {
    // The deletion of the webhook takes its deliveries away.
    if (name === 'webhooks.delete') expect(await countPosts()).toEqual(posts);
    const { path = {}, body } = routeRequests[name]?.((named) => ids[named]) ?? {};
    const filled = route.path.replace(/:(\w+)/g, (_, part: string) => encodeURIComponent(path[part] ?? ''));
    const answer = await server.request(filled, {
      key: owner.key,
      method: route.method,
      ...(body && { body }),
    });
    answers.set(name, `${answer.status} ${answer.body?.error ?? ''}`.trim());
  }
  for (const name of closed) expect([name, answers.get(name)]).toEqual([name, '403 sending_not_allowed']);
  // Things that were deleted along with others are not found.
  for (const name of harmless)
    expect([name, answers.get(name)]).toEqual([name, expect.stringMatching(/^(20\d|404|409)/)]);

  // Long enough for workers to take up what they should not find.
  await sleep(3_000);
  expect(sink.copiesFor('ada@remote.example')).toHaveLength(0);
  // Only the names of the domain that was there are asked for, and no word that a request had.
  const words = /(^|[ .])(mail|acme|agent|spam|remote|one-of-its-own)[. ]/;
  expect(dns.asked.slice(askedBefore).filter((question) => words.test(question))).toEqual([]);
});
