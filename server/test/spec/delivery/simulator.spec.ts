/* Interface 9: the scripted addresses of the simulator, under the relay and under the sandbox of a test workspace. */

import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { openDesk, type SendingDesk } from '@postrider/testkit/servers/sending-desk.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const domain = 'simulator.postrider.test';
const at = (local: string) => `${local}@${domain}`;
let running: ServerWithSink;
let server: TestServer;

beforeAll(async () => {
  running = await startServerWithSink();
  ({ server } = running);
});
afterAll(() => running.stop());

const desk = (isTest: boolean) => openDesk(server, { isTest });

const kinds: [string, boolean][] = [
  ['a workspace that sends through a relay', false],
  ['a test workspace', true],
];

describe.each(kinds)('Interface 9: in %s', (_kind, isTest) => {
  let here: SendingDesk;
  beforeAll(async () => {
    here = await desk(isTest);
  });

  test('success@ delivers', async () => {
    const sent = await here.send([at('success'), at('Success+Two')]);
    expect(sent.delivery_status).toBe('delivered');
    const events = await here.ordered(sent.id, ['message.delivered', 'message.delivered']);
    // Recipients are tried at the same time.
    const recipients = events.map((event) => Object(event).recipient).sort();
    expect(recipients).toEqual([at('success'), at('success+two')].sort());
  });

  test('bounce@ bounces hard and is suppressed, and each plus tag is a fresh one', async () => {
    const sent = await here.send([at('bounce')]);
    expect(sent.delivery_status).toBe('bounced');
    const [event] = await here.ordered(sent.id, ['message.bounced']);
    expect(event).toMatchObject({ recipient: at('bounce'), bounce: { type: 'hard', code: '5.1.1' } });
    const blocked = [{ address: at('bounce'), reason: 'suppressed' }];
    await catchApiError(here.send([at('bounce')]), 'no_deliverable_recipients', { blocked });
    for (const fresh of [at('bounce+1'), at('bounce+2')])
      expect((await here.send([fresh])).delivery_status).toBe('bounced');
    const listed = [at('bounce+2'), at('bounce+1'), at('bounce')];
    expect(await here.suppressed()).toEqual(listed.map((address) => `${address} hard_bounce`));
  });

  test('softbounce@ bounces softly and is suppressed', async () => {
    const sent = await here.send([at('softbounce')]);
    const [event] = await here.ordered(sent.id, ['message.bounced']);
    expect(event).toMatchObject({ recipient: at('softbounce'), bounce: { type: 'soft', code: '4.2.2' } });
    expect(await here.suppressed()).toContain(`${at('softbounce')} soft_bounce`);
  });

  test('reject@ rejects the message, which is 422 when it was the whole of it', async () => {
    const body = await catchApiError(here.send([at('reject')]), 'message_rejected');
    const id = String(body.id);
    expect(await here.status(id)).toBe('rejected');
    const [event] = await here.ordered(id, ['message.rejected']);
    expect(event).toMatchObject({ recipient: at('reject'), reason: expect.stringContaining('5.7.1') });
    const mixed = await here.send([at('reject'), at('success')]);
    expect(mixed.delivery_status).toBe('rejected');
    expect(await here.statuses(mixed.id)).toEqual(['rejected', 'delivered']);
    expect((await here.suppressed()).filter((entry) => entry.startsWith('reject'))).toEqual([]);
  });

  test('autoreply@ answers with an automatic reply from the null sender, in the thread', async () => {
    const sent = await here.send([at('autoreply')]);
    expect(sent.delivery_status).toBe('delivered');
    const answer = (await here.received()).find(({ from_addr }) => from_addr === at('autoreply'));
    expect(answer).toMatchObject({
      thread_id: sent.thread_id,
      subject: 'Auto: Hello',
      auto_submitted: true,
      envelope_from: null,
      in_reply_to: sent.message_id,
    });
    await catchApiError(here.client.messages.reply(answer!.id, { text: 'Thanks' }), 'auto_reply_loop');
    await here.client.messages.reply(answer!.id, { text: 'Thanks', force: true });
  });

  test('echo@ answers in the thread and quotes, once for each message, also over several', async () => {
    const sent = await here.send([at('echo'), at('echo+two')]);
    expect(sent.delivery_status).toBe('delivered');
    const { messages } = await here.client.threads.get(sent.thread_id);
    expect(messages.map(({ from_addr }) => from_addr).sort()).toEqual(
      [here.inbox.address, at('echo'), at('echo+two')].sort(),
    );
    const answer = messages.find(({ from_addr }) => from_addr === at('echo'))!;
    expect(answer).toMatchObject({
      subject: 'Re: Hello',
      auto_submitted: false,
      extracted_text: 'Your message arrived.',
      in_reply_to: sent.message_id,
    });
    expect(answer.body_text).toContain('> One\n> Two');
    const reply = await here.client.messages.reply(answer.id, { text: 'And again' });
    expect(reply.thread_id).toBe(sent.thread_id);
    expect((await here.client.threads.get(sent.thread_id)).message_count).toBe(5);
  });

  test('automatic mail is delivered and not answered', async () => {
    const before = (await here.received()).length;
    const sent = await here.send([at('echo'), at('autoreply')], { headers: { 'List-Id': '<news.example>' } });
    expect(sent.delivery_status).toBe('delivered');
    expect(await here.received()).toHaveLength(before);
  });

  test('another name there is refused with the names that there are, in every way to send, and suppresses nobody', async () => {
    const { client, inbox, suppressed } = here;
    const message = expect.stringContaining(
      'success, bounce, softbounce, complaint, reject, defer, autoreply, echo',
    );
    const refusal = (path: string) => ({ issues: [{ path, message }] });
    const to = [at('success'), at('delivered+tag')];
    await catchApiError(here.send(to), 'invalid_request', refusal('to.1'));
    await catchApiError(
      here.send([at('success')], { bcc: [at('Bounced')] }),
      'invalid_request',
      refusal('bcc.0'),
    );
    const original = await here.send([at('success')]);
    const reply = client.messages.reply(original.id, { text: 'Hi', cc: [at('nobody')] });
    await catchApiError(reply, 'invalid_request', refusal('cc.0'));
    await catchApiError(client.messages.forward(original.id, { to }), 'invalid_request', refusal('to.1'));
    const draft = await client.drafts.create({ inbox_id: inbox.id, to, subject: 'Hello', text: 'Hi' });
    await catchApiError(client.drafts.send(draft.id), 'invalid_request', refusal('to.1'));
    const check = client.messages.check({ inbox_id: inbox.id, to, subject: 'Hello', text: 'Hi' });
    await catchApiError(check, 'invalid_request', refusal('to.1'));
    expect((await suppressed()).filter((entry) => /delivered|bounced@|nobody/.test(entry))).toEqual([]);
  });

  test('mail to it counts as sent', async () => {
    const before = await here.client.account.get();
    await here.send([at('success')]);
    const after = await here.client.account.get();
    expect(after.usage.emails_this_month).toBe(before.usage.emails_this_month + 1);
  });

  test('nothing of it reaches the relay', () => {
    expect(running.sink.messages).toEqual([]);
    expect(running.sink.commands).toEqual([]);
  });
});

test.concurrent.each(kinds)(
  'Interface 9: complaint@ is delivered, complains a moment later, and is suppressed, in %s',
  async (_kind, isTest) => {
    const here = await desk(isTest);
    const sent = await here.send([at('complaint')]);
    expect(sent.delivery_status).toBe('delivered');
    await here.reaches(sent.id, 'complained');
    const events = await here.ordered(sent.id, ['message.delivered', 'message.complained']);
    const [told, complained] = events.map(({ created_at }) => Date.parse(created_at));
    expect(complained! - told!).toBeGreaterThanOrEqual(2_000);
    expect(events[1]).toMatchObject({ recipient: at('complaint'), complaint: { feedback_type: 'abuse' } });
    expect(await here.suppressed()).toContain(`${at('complaint')} complaint`);
  },
);

test.concurrent.each(kinds)(
  'Interface 9: defer@ is deferred twice, seconds apart, then delivered, in %s',
  async (_kind, isTest) => {
    const here = await desk(isTest);
    const sent = await here.send([at('defer')]);
    expect(sent.delivery_status).toBe('deferred');
    await here.reaches(sent.id, 'delivered');
    const recipients = 'select attempts from message_recipients where message_id = $1';
    expect(await server.rows(recipients, [sent.id])).toEqual([{ attempts: 3 }]);
    const events = await here.ordered(sent.id, ['message.deferred', 'message.delivered']);
    const [deferred, delivered] = events.map(({ created_at }) => Date.parse(created_at));
    expect(delivered! - deferred!).toBeGreaterThanOrEqual(4_000);
  },
);

test('Interface 9: with others beside it, only these go out by the relay', async () => {
  const here = await desk(false);
  const sent = await here.send([at('success'), 'ada@remote.example', at('bounce')]);
  expect(await here.statuses(sent.id)).toEqual(['delivered', 'sent', 'bounced']);
  expect(running.sink.messages.flatMap(({ recipients }) => recipients)).toEqual(['ada@remote.example']);
});

test('Interface 9: what one workspace did to an address is nothing to another', async () => {
  const [one, other] = await Promise.all([desk(false), desk(false)]);
  await one.send([at('bounce')]);
  expect(await other.suppressed()).toEqual([]);
  expect((await other.send([at('bounce')])).delivery_status).toBe('bounced');
});

test('Interface 9: a rule that blocks the answer keeps it out, and the message is delivered', async () => {
  const here = await desk(false);
  await here.client.rules.create({ kind: 'block', direction: 'inbound', pattern: domain });
  expect((await here.send([at('echo'), at('autoreply')])).delivery_status).toBe('delivered');
  expect(await here.received()).toEqual([]);
});

test('Interface 9: 20 sends at once to echo@ are answered once each', async () => {
  const here = await desk(false);
  const sent = await Promise.all(Array.from({ length: 20 }, () => here.send([at('echo')])));
  expect(new Set(sent.map(({ delivery_status }) => delivery_status))).toEqual(new Set(['delivered']));
  const answers = await here.received();
  expect(answers.map(({ thread_id }) => thread_id).sort()).toEqual(
    sent.map(({ thread_id }) => thread_id).sort(),
  );
});

test('Interface 9: an answer that is given again, as after a crash, is received once', async () => {
  const here = await desk(false);
  const sent = await here.send([at('echo'), at('autoreply')]);
  await server.rows(
    "update message_recipients set status = 'queued', due_at = updated_at where message_id = $1",
    [sent.id],
  );
  await here.reaches(sent.id, 'delivered');
  expect(await here.received()).toHaveLength(2);
});

test('Interface 9: a complaint of a deleted inbox is cancelled', async () => {
  const here = await desk(false);
  await here.send([at('complaint')]);
  await here.client.inboxes.delete(here.inbox.id);
  const due = await server.rows(
    'select from message_recipients where workspace_id = $1 and due_at is not null',
    [here.owner.id],
  );
  expect(due).toEqual([]);
});

test.each(['success', 'bounce+x', 'echo', 'nobody'])(
  'Interface 9: mail from outside to %s@ is 550',
  async (local) => {
    const mail = { from: 'eve@sender.example', to: at(local), subject: 'Hi', text: 'Hi' };
    await expect(sendMail(server.smtpPort, mail)).rejects.toMatchObject({ responseCode: 550 });
  },
);

test('Interface 3: the name of the simulator is no inbox', async () => {
  await catchApiError(server.client.inboxes.create({ local_part: 'simulator' }), 'address_taken');
});

test('Interface 6: /hooks/ses is a 404 unless it is configured', async () => {
  expect((await fetch(`${server.url}/hooks/ses`, { method: 'POST', body: '{}' })).status).toBe(404);
});
