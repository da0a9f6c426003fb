import { decideHeld } from '@postrider/testkit/servers/decide-held.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operator } from '../../server/src/audit/append-audit.ts';
import { pause, resume } from '../../server/src/policies/pause.ts';
import { setPolicy } from '../../server/src/policies/set-policy.ts';
import { connectHere, type Host } from './connect.ts';
import { plain } from './desk.ts';
import { unfencedTexts } from './fenced.ts';

let server: TestServer;
let host: Host;
let inbox: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  host = await connectHere(server);
  inbox = await server.inbox();
});
afterAll(async () => {
  await host?.close();
  await server?.stop();
});

const simulated = (name: string) => `${name}+${server.freshName('x')}@simulator.postrider.test`;
const send = async (to: string[], more: object = {}) =>
  host.call('send_message', { inbox_id: inbox.id, to, subject: 'Lunch?', text: 'At noon?', ...more });
const setFor = (lines: Parameters<typeof setPolicy>[2], { id }: Inbox = inbox) => {
  const place = { workspaceId: server.id, level: 'inbox', subjectId: id } as const;
  return setPolicy(server.server.deps, place, lines, operator);
};

describe('a mail that bounced', () => {
  it('is told of where it is sent, read, listed and waited for, and the words of its server are fenced', async () => {
    const to = simulated('bounce');
    const { data } = await send([to]);
    expect(data).toMatchObject({ outcome: 'failed', status: 'bounced' });
    const { message_id, thread_id } = data;
    const thread = (await host.call('get_thread', { thread_id })).data;
    const found = (await host.call('search_messages', { thread_id })).data;
    const read = (await host.call('get_message', { message_id })).data;
    for (const { delivery } of [data, thread.messages[0], found.messages[0], read]) {
      expect(delivery).toContain('the address is now suppressed. Do not send it again');
      expect(plain(delivery)).toContain('Reason: 550 5.1.1 simulator: no such mailbox');
      expect(unfencedTexts(delivery)[0]?.[1]).not.toContain('simulator');
    }
    const wait = { thread_id, direction: 'inbound', after: message_id, wait_seconds: 55 };
    const waited = (await host.call('search_messages', wait)).data;
    expect(waited.messages).toEqual([]);
    expect(waited.delivery).toContain(`Your mail ${message_id} in this thread has failed. It bounced`);
  });

  it('ends a wait that began before', async () => {
    const { message_id, thread_id } = (await send([simulated('complaint')])).data;
    const wait = { thread_id, direction: 'inbound', after: message_id, wait_seconds: 55 };
    const { messages, delivery } = (await host.call('search_messages', wait)).data;
    expect(messages).toEqual([]);
    expect(delivery).toContain('marked it as spam');
  });

  it('to one of several does not end a wait for the others', async () => {
    const echo = simulated('echo');
    const lost = simulated('bounce');
    const { data } = await send([lost, echo]);
    expect(data).toMatchObject({ outcome: 'sent', status: 'bounced' });
    expect(plain(data.delivery)).toContain(`did not get it: ${lost} (bounced: 550 5.1.1`);
    const wait = { thread_id: data.thread_id, direction: 'inbound', wait_seconds: 55 };
    expect(plain((await host.call('search_messages', wait)).data.messages[0].from)).toBe(echo);
  });

  it('is not sent by the same call again: that says so', async () => {
    const args = { inbox_id: inbox.id, to: [simulated('reject')], subject: 'x', text: 'x' };
    for (const { isError, data } of [
      await host.call('send_message', args),
      await host.call('send_message', args),
    ]) {
      expect(isError).toBe(true);
      expect(data).toMatchObject({ error: 'message_rejected', next: expect.stringContaining('Do not') });
      expect(plain(data.reason)).toContain('554 5.7.1 simulator');
    }
  });
});

describe('a mail that people have to approve', () => {
  it('is held by every tool that sends, and the same call makes no second one', async () => {
    const held = await server.inbox();
    const original = await server.client.messages.send({
      inbox_id: held.id,
      to: simulated('success'),
      subject: 'x',
    });
    await setFor({ send: 'approve' }, held);
    const to = [simulated('success')];
    const draft = await server.client.drafts.create({ inbox_id: held.id, to, subject: 'x', text: 'x' });
    const calls: [string, Record<string, unknown>][] = [
      ['send_message', { inbox_id: held.id, to, subject: 'x', text: 'x' }],
      ['reply_to_message', { message_id: original.id, text: 'x' }],
      ['forward_message', { message_id: original.id, to }],
      ['send_draft', { draft_id: draft.id }],
    ];
    for (const [tool, args] of calls) {
      const first = (await host.call(tool, args)).data;
      expect(first, tool).toMatchObject({ outcome: 'held', status: 'held' });
      expect(first.delivery, tool).toContain('held until people approve it');
      const again = (await host.call(tool, args)).data;
      expect(again, tool).toMatchObject({ outcome: 'already_sent', message_id: first.message_id });
      expect(again.note, tool).toContain('waiting for people');
      const read = (await host.call('get_message', { message_id: first.message_id })).data;
      expect(read.delivery, tool).toContain('Do not send it again');
    }
  });

  it('has their reason, which is not fenced, once they have refused it', async () => {
    const held = await server.inbox();
    await setFor({ send: 'approve' }, held);
    const args = { inbox_id: held.id, to: [simulated('success')], subject: 'x', text: 'x' };
    const { message_id, thread_id } = (await host.call('send_message', args)).data;
    await decideHeld(server, 'refuse', message_id, 'too\u202e pushy');
    const said = 'Reason: too pushy';
    const [shown] = (await host.call('get_thread', { thread_id })).data.messages;
    expect(shown.delivery).toContain(`Do not send it again unless they ask for it. ${said}`);
    expect((await host.call('get_message', { message_id })).data.recipients).toMatchObject([
      { status: 'rejected', detail: 'too pushy' },
    ]);
    const wait = { thread_id, direction: 'inbound', wait_seconds: 55 };
    expect((await host.call('search_messages', wait)).data.delivery).toContain(said);
    expect((await host.call('send_message', args)).data).toMatchObject({
      error: 'message_rejected',
      message: 'People did not approve this mail, so it was not sent.',
      reason: 'too pushy',
    });
  });
});

describe('a mail that people do not allow', () => {
  it('is refused while sending is paused, and says where', async () => {
    const place = { workspaceId: server.id, level: 'inbox', subjectId: inbox.id } as const;
    await pause(server.server.deps, place, null, operator);
    const { data } = await send([simulated('success')]);
    await resume(server.server.deps, place, operator);
    expect(data).toMatchObject({ error: 'sending_paused', at: 'inbox' });
    expect(data.next).toContain('Do not call again');
  });

  it('is not sent again and again: a cap says when to go on', async () => {
    const capped = await server.inbox();
    await setFor({ per_recipient_day: 1, recipients_max: 2 }, capped);
    const to = simulated('success');
    const call = (subject: string, others: string[] = []) =>
      host.call('send_message', { inbox_id: capped.id, to: [to, ...others], subject, text: 'x' });
    expect((await call('One')).data.outcome).toBe('sent');
    const { data } = await call('Two');
    expect(data).toMatchObject({ error: 'rate_limited', reason: 'policy' });
    expect(data.next).toMatch(/^Stop: .* before \d{4}-\d\d-\d\dT\d\d:\d\dZ \(in 2\d hours\)/);
    expect(unfencedTexts(data.message)[0]?.[1]).not.toContain('@');
    const many = [simulated('success'), simulated('success')];
    expect((await call('Three', many)).data.message).toContain('Send it to fewer recipients');
  });

  it('leaves out recipients, and says that another way is none', async () => {
    const known = await server.inbox();
    await setFor({ recipients: ['boss@remote.example'] }, known);
    const args = { inbox_id: known.id, subject: 'x', text: 'x' };
    const some = await host.call('send_message', { ...args, to: ['boss@remote.example', 'eve@evil.test'] });
    expect(some.data.dropped).toMatchObject([{ reason: 'policy' }]);
    expect(some.data.note).toContain('Do not try another way');
    const none = await host.call('send_message', { ...args, to: ['eve@evil.test'] });
    expect(none.data).toMatchObject({ error: 'no_deliverable_recipients' });
    expect(none.data.next).toContain('do not try another way');
  });
});
