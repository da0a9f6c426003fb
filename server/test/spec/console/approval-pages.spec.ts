/* Interface 11: what the pages of approvals need besides the routes: the frame of a link, and word of each change. */
import type { LinkedApproval } from '@postrider/contract/console';
import { ConsoleBrowser, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalToken } from '../../../src/approvals/approval-link.ts';
import { operator } from '../../../src/audit/append-audit.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

let server: TestServer;
let owner: Awaited<ReturnType<typeof signedIn>>;

beforeAll(async () => {
  server = await joinTestServer();
  owner = await signedIn(server);
  const place = { workspaceId: server.id, level: 'workspace', subjectId: server.id } as const;
  await setPolicy(server.server.deps, place, { send: 'approve' }, operator);
});
afterAll(() => server.stop());

const hold = async (more: object) =>
  server.client.messages.send({
    inbox_id: (await server.inbox()).id,
    to: ['ada@remote.example'],
    subject: 'The offer',
    ...more,
  });

const showLinked = async (id: string) => {
  const { deps } = server.server;
  const rows = await deps.db.selectFrom('approvals').selectAll().where('message_id', '=', id).execute();
  const token = approvalToken(deps.keys, { ...rows[0]!, personId: owner.person.id });
  const visitor = new ConsoleBrowser(server);
  const { body } = await visitor.request('/approval-link', { method: 'POST', body: { token } });
  return body as unknown as LinkedApproval;
};
const get = (path: string) => server.request(path, { key: null });

test('Interface 11 Approval: a link shows HTML in the same frame, without a session', async () => {
  const { id } = await hold({ html: '<p onclick="x()">It costs <b>ten</b>.</p>' });
  const { approval, frame_url } = await showLinked(id);
  expect(approval).toMatchObject({ message_id: id, state: 'held' });
  const { status, headers, text } = await get(frame_url ?? '');
  expect(status).toBe(200);
  expect(text).toContain('It costs <b>ten</b>.');
  expect(text).not.toContain('onclick');
  expect(headers.get('content-security-policy')).toMatch(
    /^sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; default-src 'none'; script-src 'nonce-[\w-]{22}'; /,
  );
  expect((await get(`${frame_url?.slice(0, -1)}_`)).status).toBe(404);
  const { id: plain } = await hold({ text: 'It costs ten.' });
  expect((await showLinked(plain)).frame_url).toBeNull();
});

test('Interface 11 Approval: open pages are told when something is held and when it is decided', async () => {
  const ended = new AbortController();
  const { body } = await fetch(`${server.url}/console/api/changes?workspace=${server.id}`, {
    headers: { cookie: owner.cookie },
    signal: ended.signal,
  });
  let text = '';
  const reading = (async () => {
    for await (const part of body ?? []) text += Buffer.from(part).toString();
  })().catch(() => {});
  const told = (times: number) =>
    eventually('the page to be told', async () => text.split('event: approvals').length > times, {
      pauseMs: 5,
    });
  const { id } = await hold({ text: 'Here it is.' });
  await told(1);
  const { approval } = await showLinked(id);
  const messages = [{ message_id: id, content_hash: approval?.content_hash }];
  const decided = { decision: 'refuse', messages, reason: 'Wrong tone' };
  await owner.request('/approvals/decide', { method: 'POST', body: decided });
  await told(2);
  ended.abort();
  await reading;
});
