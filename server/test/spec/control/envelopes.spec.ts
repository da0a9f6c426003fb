/*
 * Interface 11: of a send that begins after the acknowledgement of a change, a relay hears nothing that it forbids, not even the
 * recipients.
 */
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { changeKey } from '../../../src/keys/change-key.ts';
import { pause } from '../../../src/policies/pause.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

let desk: ServerWithSink;
let workspace: Awaited<ReturnType<ServerWithSink['server']['workspace']>>;
let inboxId: string;

beforeAll(async () => {
  desk = await startServerWithSink();
});
afterAll(() => desk.stop());

/** Lets the server remember that a new key may send. */
beforeEach(async () => {
  workspace = await desk.server.workspace();
  inboxId = (await desk.server.inbox(workspace)).id;
  await send('first@remote.example');
  expect(recipients()).toContain('first@remote.example');
});

const send = (to: string) =>
  workspace.client.messages.send({ inbox_id: inboxId, to, subject: 'Hello', text: 'Hello' });
const recipients = () => desk.sink.commands.flatMap((command) => /^RCPT TO:<(.*)>/.exec(command)?.[1] ?? []);
const place = () => ({ workspaceId: workspace.id, level: 'key', subjectId: workspace.keyId }) as const;
const set = (lines: Parameters<typeof setPolicy>[2]) =>
  setPolicy(desk.server.server.deps, place(), lines, operator);

test.each([
  ['never', () => set({ send: 'never' })],
  ['approve', () => set({ send: 'approve' })],
  ['other recipients', () => set({ recipients: ['other.example'] })],
  ['a cap', () => set({ per_day: 0 })],
  ['a pause', () => pause(desk.server.server.deps, place(), null, operator)],
  [
    'a key that only reads',
    () =>
      changeKey(
        desk.server.server.deps,
        { workspaceId: workspace.id, id: workspace.keyId },
        { readOnly: true },
        operator,
      ),
  ],
])('Interface 11 Policy: %s', async (name, change) => {
  await change();
  const to = `told-${name.replaceAll(' ', '-')}@spy.example`;
  const sent = await send(to).catch((error: Error) => error);
  expect(sent instanceof Error || sent.delivery_status === 'held').toBe(true);
  expect(recipients()).not.toContain(to);
});
