import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { answer, errorAnswer, failingOnce, type SeenRequest, stubApi } from '../../test/stub-api.ts';
import { StubMailbox } from '../../test/stub-mailbox.ts';
import { APIError } from '../index.ts';

const { reply, client } = stubApi();
const second = 1_000;
const hour = 3_600 * second;

function open(mailbox: StubMailbox): SeenRequest[] {
  return reply((seen) => mailbox.answer(seen));
}

/** Resolves once so many requests hold until something comes. */
async function holds(seen: SeenRequest[], count = 1): Promise<void> {
  await expect
    .poll(() => seen.filter(({ path }) => path.includes('wait_seconds')).length)
    .toBeGreaterThanOrEqual(count);
}

describe('waiting for a message', () => {
  it('gives one that comes later, after two requests', async () => {
    const mailbox = new StubMailbox();
    const seen = open(mailbox);
    const waiting = client().messages.waitFor({ inbox_id: 'inb_1' });
    await holds(seen);
    const { id } = mailbox.deliver('new');
    expect((await waiting).id).toBe(id);
    expect(seen.map(({ path }) => path)).toEqual([
      '/events?after=latest&limit=1',
      '/events?events=message.received&inbox_id=inb_1&wait_seconds=25&limit=100',
    ]);
  });

  it('gives one that this client causes right after the call, however long the first answer takes', async () => {
    const mailbox = new StubMailbox();
    mailbox.deliver('old');
    reply(async (seen) => {
      if (seen.method === 'POST') {
        mailbox.deliver('quick');
        return answer(201, {});
      }
      if (seen.path.includes('latest')) await sleep(200);
      return mailbox.answer(seen);
    });
    const api = client();
    const waiting = api.messages.waitFor({});
    await api.messages.send({ inbox_id: 'inb_1', to: ['ada@example.com'], subject: 'Hi' });
    expect((await waiting).subject).toBe('quick');
  });

  it('does not give one that was there before', async () => {
    const mailbox = new StubMailbox();
    mailbox.deliver('old');
    const seen = open(mailbox);
    const waiting = client().messages.waitFor({});
    await holds(seen);
    mailbox.deliver('new');
    expect((await waiting).subject).toBe('new');
  });

  it('does not give one that this client has read, though its event comes after the call', async () => {
    const mailbox = new StubMailbox();
    const api = client();
    const seen = open(mailbox);
    const listed = mailbox.store('listed');
    await api.messages.list();
    const read = mailbox.store('read');
    await api.messages.get(read.id);
    const unread = mailbox.store('unread');
    const waiting = api.messages.waitFor({});
    await holds(seen);
    for (const message of [listed, read, unread]) mailbox.order(message);
    expect((await waiting).subject).toBe('unread');
  });

  it('gives one that somebody else of the same client reads while it waits', async () => {
    const mailbox = new StubMailbox();
    const api = client();
    const seen = open(mailbox);
    const both = [api.messages.waitFor({}), api.messages.waitFor({})];
    await holds(seen, 2);
    const message = mailbox.store('new');
    await api.messages.get(message.id);
    mailbox.order(message);
    expect((await Promise.all(both)).map(({ subject }) => subject)).toEqual(['new', 'new']);
  });

  it('gives one that this client causes while the server is asked again', async () => {
    const mailbox = new StubMailbox();
    reply(
      failingOnce((seen) => {
        if (seen.method === 'POST') mailbox.deliver('quick');
        return seen.method === 'POST' ? answer(201, {}) : mailbox.answer(seen);
      }),
    );
    const api = client({ maxRetries: 0 });
    const waiting = api.messages.waitFor({});
    const sending = { inbox_id: 'inb_1', to: ['ada@example.com'], subject: 'Hi', client_id: 'one' };
    await api.messages.send(sending, { maxRetries: 1 });
    expect((await waiting).subject).toBe('quick');
  });

  it.each([
    [503, 'unavailable'],
    [409, 'limit_reached'],
  ])('goes on over failures of each of its requests with %i %s', async (status, error) => {
    const mailbox = new StubMailbox();
    mailbox.deliver('old', 9);
    const seen = reply(failingOnce((request) => mailbox.answer(request), status, error));
    const api = client({ maxRetries: 0 });
    const from = 'ada@example.com';
    const waiting = api.messages.waitFor({ from });
    const waitingFrom = api.messages.waitFor({ from, after: mailbox.time(5) });
    await holds(seen, 3);
    mailbox.deliver('from bob', 0, { from_addr: 'bob@example.com' });
    mailbox.deliver('from ada');
    expect((await waiting).subject).toBe('from ada');
    expect((await waitingFrom).subject).toBe('from ada');
  });
});

describe('waiting for a message from a time on', () => {
  it('gives the oldest from there on, also when it is there already', async () => {
    const mailbox = new StubMailbox();
    const { created_at } = mailbox.deliver('then', 60 * second);
    mailbox.deliver('later', 30 * second);
    open(mailbox);
    expect((await client().messages.waitFor({ after: created_at })).subject).toBe('then');
    const next = { after: new Date(Date.parse(created_at) + 1) };
    expect((await client().messages.waitFor(next)).subject).toBe('later');
  });

  it('goes over from the list to the log without gap or repeat', async () => {
    const mailbox = new StubMailbox();
    for (let index = 0; index < 7; index++) mailbox.deliver(`listed ${index}`, 100 - index);
    const unordered = mailbox.store('listed and not in the log yet');
    const asked: string[] = [];
    const requests = reply(async (seen) => {
      const answered = await mailbox.answer(seen);
      if (seen.path.startsWith('/messages') && !seen.path.includes('cursor'))
        mailbox.deliver('during the list');
      return answered;
    });
    const match = ({ subject }: { subject: string }) => {
      asked.push(subject);
      return subject === 'the last';
    };
    const waiting = client().messages.waitFor({ after: mailbox.time(hour), match });
    await holds(requests);
    mailbox.order(unordered);
    mailbox.deliver('the last');
    await waiting;
    const listed = Array.from({ length: 7 }, (_, index) => `listed ${index}`);
    expect(asked).toEqual([...listed, unordered.subject, 'during the list', 'the last']);
  });

  it('gives none from before, though it is filed late', async () => {
    const mailbox = new StubMailbox();
    const seen = open(mailbox);
    const waiting = client().messages.waitFor({ after: mailbox.time(10 * second) });
    await holds(seen);
    mailbox.deliver('received long ago', 20 * second);
    mailbox.deliver('received before the call', 5 * second);
    expect((await waiting).subject).toBe('received before the call');
  });
});

describe('the filters', () => {
  it('are the ones of the server, which is asked once for all that came together', async () => {
    const mailbox = new StubMailbox();
    const seen = open(mailbox);
    const filters = { inbox_id: 'inb_1', from: 'bob@example.com', has_attachment: false };
    const waiting = client().messages.waitFor(filters);
    await expect.poll(() => seen.length).toBe(3);
    mailbox.deliver('from ada');
    mailbox.deliver('from bob', 0, { from_addr: 'bob@example.com' });
    expect((await waiting).subject).toBe('from bob');
    const lists = seen.filter(({ path }) => path.startsWith('/messages'));
    expect(lists.length).toBeLessThanOrEqual(3);
    const query = Object.fromEntries(new URL(`http://x${lists.at(-1)?.path}`).searchParams);
    expect(query).toMatchObject({ ...filters, has_attachment: 'false', direction: 'inbound', limit: '100' });
  });

  it('that name something unknown are told of at once', async () => {
    const mailbox = new StubMailbox();
    reply((seen) =>
      seen.path.startsWith('/messages') ? errorAnswer(404, 'not_found') : mailbox.answer(seen),
    );
    const waiting = client().messages.waitFor({ thread_id: 'thr_0' });
    await expect(waiting).rejects.toThrow(APIError);
  });

  it('let no outbound mail be waited for', async () => {
    const outbound = { direction: 'outbound' } as object;
    await expect(client().messages.waitFor(outbound)).rejects.toThrow('Only inbound mail is followed');
  });
});

describe('a match', () => {
  it('picks the oldest message that it accepts, and is asked about each once', async () => {
    const mailbox = new StubMailbox();
    const seen = open(mailbox);
    const asked: string[] = [];
    const match = ({ subject }: { subject: string }) => {
      asked.push(subject);
      return subject.startsWith('code');
    };
    const waiting = client().messages.waitFor({ match });
    await expect.poll(() => seen.length).toBe(2);
    const subjects = ['a', 'b', 'c', 'd', 'code 1', 'e', 'code 2'];
    for (const subject of subjects) mailbox.deliver(subject);
    expect((await waiting).subject).toBe('code 1');
    expect(asked).toEqual(subjects.slice(0, 5));
  });

  it('does not make the waiting hot when it refuses what is there', async () => {
    const mailbox = new StubMailbox();
    for (let index = 0; index < 5; index++) mailbox.deliver('other', hour - index);
    const seen = open(mailbox);
    const match = ({ subject }: { subject: string }) => subject === 'the one';
    const waiting = client().messages.waitFor({ after: mailbox.time(hour + 1), match });
    await sleep(1_000);
    expect(seen.length).toBeLessThanOrEqual(4);
    mailbox.deliver('the one');
    expect((await waiting).subject).toBe('the one');
  });

  it('that throws ends the waiting with its error', async () => {
    const mailbox = new StubMailbox();
    mailbox.deliver('any');
    open(mailbox);
    const match = () => {
      throw new RangeError('mine');
    };
    await expect(client().messages.waitFor({ after: mailbox.time(hour), match })).rejects.toThrow('mine');
  });
});
