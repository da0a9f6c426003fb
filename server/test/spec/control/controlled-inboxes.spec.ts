/* Interface 11: what people set for an inbox does not end with it. */
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { signedIn } from '@postrider/testkit/http/console-browser.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { pause, resume } from '../../../src/policies/pause.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('Interface 11 Policy and Pause: a key cannot delete an inbox for which people have set either', async () => {
  const workspace = await server.workspace();
  const { client } = workspace;
  const { deps } = server.server;
  const [governed, paused, other] = [
    await server.inbox(workspace),
    await server.inbox(workspace),
    await server.inbox(workspace),
  ];
  const placeOf = ({ id }: { id: string }) =>
    ({ workspaceId: workspace.id, level: 'inbox', subjectId: id }) as const;
  const whole = { workspaceId: workspace.id, level: 'workspace', subjectId: workspace.id } as const;
  await setPolicy(deps, whole, { send: 'approve' }, operator);
  await setPolicy(deps, placeOf(governed), { send: 'never' }, operator);
  await pause(deps, placeOf(paused), 'It runs wild.', operator);
  for (const { id } of [governed, paused]) {
    const error = await catchApiError(client.inboxes.delete(id), 'sending_not_allowed', { at: 'inbox' });
    expect(error.message).toContain('only they can delete it');
    expect((await client.inboxes.get(id)).id).toBe(id);
  }
  await client.inboxes.delete(other.id);
  await resume(deps, placeOf(paused), operator);
  await client.inboxes.delete(paused.id);
  const person = await signedIn(server, 'owner', workspace);
  const deleted = await person.request(`/v1/inboxes/${governed.id}`, { method: 'DELETE' });
  expect(deleted.status).toBe(204);
});
