import { setTimeout as sleep } from 'node:timers/promises';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { findTraces } from '@postrider/testkit/mail/inbox-traces.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import type { Draft, Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { draftPlaces } from '../../../src/drafts/draft-scheduler.ts';

const clock = createMovingClock();
const hour = 3_600_000;
let running: ServerWithSink;
let server: TestServer;
let sink: MailSink;
let inbox: Inbox;

beforeAll(async () => {
  running = await startServerWithSink({ clock, env: { POSTRIDER_RATE_LIMITS: 'off' } });
  ({ server, sink } = running);
  inbox = await server.inbox();
});
afterAll(() => running.stop());

const address = () => `${server.freshName('rcpt')}@remote.example`;
const draft = (more: object = {}): Promise<Draft> =>
  server.client.drafts.create({
    inbox_id: inbox.id,
    to: [address()],
    subject: 'Hello',
    text: 'Hi.',
    ...more,
  });
const copiesOf = ({ to }: Draft) => sink.copiesFor(to[0] ?? '');
const send = ({ id }: Draft, body: object = {}) =>
  server.request(`/v1/drafts/${id}/send`, { method: 'POST', body });
const many = <T>(work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 20 }, (_, index) => work(index)));
const counts = (statuses: (number | string)[]) =>
  Object.fromEntries(
    [...new Set(statuses)].sort().map((each) => [each, statuses.filter((s) => s === each).length]),
  );

test('Interface 3 Draft: twenty sends of one draft at once make one message, five times over', async () => {
  for (let round = 0; round < 5; round += 1) {
    const attachments = [{ filename: 'a.bin', content: Buffer.alloc(100_000) }];
    const made = await draft(round === 0 ? { attachments } : {});
    const bodies = [
      () => ({}),
      () => ({ client_id: made.id }),
      (index: number) => ({ client_id: `${made.id}-${index}` }),
    ];
    const bodyOf = bodies[round % 3] ?? (() => ({}));
    const answers = await many((index) => send(made, bodyOf(index)));
    const repeated = round % 3 === 1 ? { 200: 19 } : { 409: 19 };
    expect(counts(answers.map(({ status }) => status))).toEqual({ 201: 1, ...repeated });
    expect(copiesOf(made)).toHaveLength(1);
    const { message_id } = await server.client.drafts.get(made.id);
    for (const { status, body } of answers) if (status < 300) expect(body.id).toBe(message_id);
  }
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id });
  expect(messages).toHaveLength(5);
});

test('Interface 3 Draft: a send by hand at the moment of its time makes one message', async () => {
  const made: Draft[] = [];
  for (let round = 0; round < 10; round += 1) {
    const at = clock.now().getTime() + 300;
    const each = await draft({ scheduled_at: new Date(at).toISOString() });
    made.push(each);
    await sleep(Math.max(0, at - clock.now().getTime() + (round - 5) * 4));
    const { status } = await send(each);
    expect([201, 409]).toContain(status);
  }
  const sent = async () => (await server.client.drafts.list({ status: 'scheduled' })).drafts.length === 0;
  await eventually('all to be sent', sent);
  for (const each of made) await eventually('its copy', async () => copiesOf(each).length > 0);
  await sleep(1_500);
  expect(made.map((each) => copiesOf(each).length)).toEqual(Array(10).fill(1));
});

test('Interface 3 Draft: what is changed while it is being sent goes out as it was or as it became', async () => {
  const seen: string[] = [];
  for (let round = 0; round < 15; round += 1) {
    const made = await draft();
    const text = `New ${round}.`;
    const [sent, changed] = await Promise.all([
      send(made),
      sleep(round % 8).then(() =>
        server.request(`/v1/drafts/${made.id}`, { method: 'PATCH', body: { text, subject: text } }),
      ),
    ]);
    expect([sent.status, [200, 409].includes(changed.status)]).toEqual([201, true]);
    const message = await server.client.messages.get(String(sent.body.id));
    const wanted = changed.status === 200 ? [text, text] : ['Hello', 'Hi.'];
    expect([message.subject, message.body_text]).toEqual(wanted);
    expect(await server.client.drafts.get(made.id)).toMatchObject({ subject: wanted[0], text: wanted[1] });
    expect(copiesOf(made)).toHaveLength(1);
    seen.push(String(changed.status));
  }
  console.log('changes', counts(seen));
});

test('Interface 3 Draft: what is deleted while it is being sent was sent before, or never is', async () => {
  const seen: string[] = [];
  for (let round = 0; round < 15; round += 1) {
    const scheduled_at = round % 2 === 0 ? null : new Date().toISOString();
    const made = await draft({ scheduled_at });
    const [sent, deleted] = await Promise.all([
      send(made),
      sleep(round % 8).then(() => server.request(`/v1/drafts/${made.id}`, { method: 'DELETE' })),
    ]);
    expect([204, 409]).toContain(deleted.status);
    if (deleted.status === 204 && sent.status === 404) expect((await send(made)).status).toBe(404);
    seen.push(`send ${sent.status}, delete ${deleted.status}`);
    const wasSent = sent.status !== 404 || deleted.status === 409;
    if (wasSent) await eventually('the copy', async () => copiesOf(made).length > 0);
    expect(copiesOf(made).length).toBeLessThanOrEqual(1);
  }
  console.log('deletions', counts(seen));
});

test('Interface 3 Draft: twenty changes at once leave one of them whole', async () => {
  const made = await draft();
  const statuses = await many(async (index) => {
    const content = Buffer.from(String(index));
    const body = {
      subject: String(index),
      text: String(index),
      attachments: [{ filename: `${index}.txt`, content_base64: content.toString('base64') }],
    };
    return (await server.request(`/v1/drafts/${made.id}`, { method: 'PATCH', body })).status;
  });
  expect(counts(statuses)).toEqual({ 200: 20 });
  const { subject, text, attachments } = await server.client.drafts.get(made.id);
  expect([text, ...attachments.map(({ filename }) => filename)]).toEqual([subject, `${subject}.txt`]);
});

/** The removal of inboxes is a job of its own. */
const nothingLeft = async (boxes: { id: string }[]): Promise<void> => {
  for (const { id } of boxes)
    await eventually(
      'nothing to be left',
      async () => Object.keys(await findTraces(server, { workspaceId: server.id, id })).length === 0,
    );
};

test('Interface 3 Inbox: deleting one hides its drafts at once, and none goes out afterwards, three times over', async () => {
  const before: number[] = [];
  const boxes: { id: string }[] = [];
  for (let round = 0; round < 3; round += 1) {
    const box = await server.inbox();
    boxes.push(box);
    const due = clock.now().getTime() + hour;
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        draft({ inbox_id: box.id, scheduled_at: new Date(due + index * 20).toISOString() }),
      ),
    );
    const later = await Promise.all(
      Array.from({ length: 3 }, () =>
        draft({ inbox_id: box.id, scheduled_at: new Date(due + hour).toISOString() }),
      ),
    );
    clock.advance(hour);
    const sent = () => made.flatMap(copiesOf).length;
    await eventually('some copies', async () => sent() >= 2 * round, { pauseMs: 1 });
    await server.client.inboxes.delete(box.id);
    const stored = sent();
    for (const { id } of made.slice(0, 2)) {
      await catchApiError(server.client.drafts.get(id), 'not_found');
      await catchApiError(server.client.drafts.send(id), 'not_found');
    }
    const { drafts } = await server.client.drafts.list({ limit: 100 });
    expect(drafts.filter(({ inbox_id }) => inbox_id === box.id)).toEqual([]);
    clock.advance(hour);
    const after = await draft({ scheduled_at: clock.now().toISOString() });
    // Those of the deleted inbox would be taken up before it, because they are due for longer.
    await eventually('the copy of a draft that is due after them', async () => copiesOf(after).length > 0);
    await eventually('nothing to be under way at the relay', async () =>
      sink.contents.every(({ answeredAtMs }) => answeredAtMs !== null),
    );
    expect(later.flatMap(copiesOf)).toEqual([]);
    // Sends that had begun by then may still end.
    expect(sent() - stored).toBeLessThanOrEqual(draftPlaces.atOnceMax);
    for (const each of made) expect(copiesOf(each).length).toBeLessThanOrEqual(1);
    before.push(sent());
  }
  await nothingLeft(boxes);
  console.log(`sent before the deletion: ${before.join(', ')}`);
});

test('Interface 3 Inbox: a draft that is made while its inbox is deleted goes with it or is a 404', async () => {
  const statuses: number[] = [];
  const boxes: { id: string }[] = [];
  for (let round = 0; round < 4; round += 1) {
    const box = await server.inbox();
    boxes.push(box);
    const body = { inbox_id: box.id, attachments: [{ filename: 'a.txt', content_base64: 'YQ==' }] };
    const [answers] = await Promise.all([
      many(async (index) => {
        await sleep(index % 5);
        return server.request('/v1/drafts', { method: 'POST', body });
      }),
      sleep(round).then(() => server.client.inboxes.delete(box.id)),
    ]);
    statuses.push(...answers.map(({ status }) => status));
  }
  await nothingLeft(boxes);
  console.log('drafts made meanwhile', counts(statuses));
  expect(Object.keys(counts(statuses)).filter((status) => status !== '201' && status !== '404')).toEqual([]);
});
