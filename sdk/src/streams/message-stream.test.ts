import { describe, expect, it } from 'vitest';
import { stubApi } from '../../test/stub-api.ts';
import { StubMailbox } from '../../test/stub-mailbox.ts';
import { AbortedError, APIError, type Message, type MessageStream, PostriderError } from '../index.ts';

const { reply, client } = stubApi();
const hour = 3_600_000;

function open(): StubMailbox {
  const mailbox = new StubMailbox();
  reply((seen) => mailbox.answer(seen));
  return mailbox;
}

/** Takes `count` messages from a stream and ends it. */
async function take(stream: MessageStream, count: number): Promise<string[]> {
  const subjects: string[] = [];
  while (subjects.length < count) {
    const { value } = await stream.next();
    if (value) subjects.push(value.subject);
  }
  await stream.return();
  return subjects;
}

describe('a stream of messages', () => {
  it('gives what arrives from the call on, each once and in its order', async () => {
    const mailbox = open();
    mailbox.deliver('before');
    const { messages, account } = client();
    const stream = messages.stream({ inbox_id: 'inb_1' });
    await account.get().catch(() => {});
    for (const subject of ['one', 'two', 'three', 'four']) mailbox.deliver(subject);
    const first = take(stream, 5);
    mailbox.deliver('five');
    expect(await first).toEqual(['one', 'two', 'three', 'four', 'five']);
  });

  it('gives what is there already from a time on, and then what arrives', async () => {
    const mailbox = open();
    const old = ['a', 'b', 'c', 'd', 'e'].map((subject, index) => mailbox.deliver(subject, hour - index));
    const stream = client().messages.stream({ after: old[1]?.created_at });
    const subjects = take(stream, 6);
    await stream.ready();
    mailbox.deliver('f');
    mailbox.deliver('g');
    expect(await subjects).toEqual(['b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('gives a message that was begun before one that is given, and stored after it', async () => {
    const mailbox = open();
    mailbox.deliver('first', 500);
    const stream = client().messages.stream({ after: mailbox.time(hour) });
    expect((await stream.next()).value?.subject).toBe('first');
    mailbox.deliver('slow', 900);
    expect(await take(stream, 1)).toEqual(['slow']);
  });

  it('has the filters of a list, and match', async () => {
    const mailbox = open();
    const match = ({ subject }: Message) => subject !== 'no';
    const stream = client().messages.stream({ from: 'bob@example.com', match });
    await stream.ready();
    mailbox.deliver('of ada');
    for (const subject of ['yes', 'no', 'again'])
      mailbox.deliver(subject, 0, { from_addr: 'bob@example.com' });
    expect(await take(stream, 2)).toEqual(['yes', 'again']);
    const promising = client().messages.stream({ match: (async () => false) as unknown as () => boolean });
    await promising.ready();
    mailbox.deliver('any');
    await expect(promising.next()).rejects.toThrow('match must return at once');
  });

  it('ends when it is left or aborted, and with an error that does not pass', async () => {
    open();
    const { messages } = client();
    const left = messages.stream();
    const waiting = left.next();
    await left.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    const controller = new AbortController();
    const aborted = messages.stream({ signal: controller.signal }).next();
    controller.abort();
    await expect(aborted).rejects.toThrow(AbortedError);
    reply(() => Response.json({ error: 'not_found', message: 'No.', request_id: 'r' }, { status: 404 }));
    const lost = messages.stream({ inbox_id: 'inb_0' });
    await expect(lost.ready()).rejects.toThrow(APIError);
    await expect(lost.next()).rejects.toThrow(APIError);
  });
});

describe('the cursor of a stream', () => {
  it.each(['time', 'beginning'])('from each message on gives the rest once, from the %s on', async (from) => {
    const mailbox = open();
    const subjects = Array.from({ length: 12 }, (_, index) => `mail ${index}`);
    const after = from === 'time' ? mailbox.time(hour) : undefined;
    const first = client().messages.stream({ after });
    let cursor = await first.ready();
    await first.return();
    const stored = subjects.slice(0, 8).map((subject) => mailbox.store(subject, 9));
    // The first three get their events only later, while messages are being returned.
    for (const message of stored.slice(3)) mailbox.order(message);
    const got: string[] = [];
    for (let round = 0; got.length < subjects.length; round++) {
      if (round === 2) for (const message of stored.slice(0, 3)) mailbox.order(message);
      if (round === 5) for (const subject of subjects.slice(8)) mailbox.deliver(subject);
      const stream = client().messages.stream({ after: cursor });
      got.push(...(await take(stream, 1)));
      cursor = stream.cursor ?? '';
    }
    expect(got.toSorted()).toEqual(subjects.toSorted());
    const last = client().messages.stream({ after: cursor });
    const next = take(last, 1);
    mailbox.deliver('the last');
    expect(await next).toEqual(['the last']);
  });

  it('is there before the first message, also while the log is empty', async () => {
    const mailbox = open();
    const { messages } = client();
    const stream = messages.stream();
    const cursor = await stream.ready();
    expect(stream.cursor).toBe(cursor);
    await stream.return();
    mailbox.deliver('between');
    expect(await take(messages.stream({ after: cursor }), 1)).toEqual(['between']);
    const later = messages.stream({ after: cursor });
    expect(later.cursor).toBeNull();
    expect(await take(later, 1)).toEqual(['between']);
  });

  it('is a short text once all is given', async () => {
    const mailbox = open();
    for (let index = 0; index < 30; index++) mailbox.deliver(`old ${index}`, hour - index);
    const stream = client().messages.stream();
    await stream.ready();
    mailbox.deliver('new');
    await take(stream, 1);
    expect(stream.cursor).toBe('evt_0031');
  });
});

describe('the loop of an agent by waitFor', () => {
  const subjects = Array.from({ length: 9 }, (_, index) => `mail ${index}`);

  it.each<[string, (message: Message) => Message | string]>([
    ['the message', (message) => message],
    ['its id', ({ id }) => id],
  ])('that passes %s as after gives each once, whatever comes meanwhile', async (_what, from) => {
    const mailbox = open();
    for (const subject of subjects.slice(0, 3)) mailbox.deliver(subject, 1);
    const { messages } = client();
    const got: string[] = [];
    let after: Message | string = mailbox.time(hour);
    for (let index = 3; got.length < subjects.length; index++) {
      const message = await messages.waitFor({ inbox_id: 'inb_1', after, timeout: 300_000 });
      got.push(message.subject);
      after = from(message);
      const next = subjects[index];
      if (next !== undefined) mailbox.deliver(next, index % 2 ? 0 : 500);
    }
    expect(got.toSorted()).toEqual(subjects);
    await expect(messages.waitFor({ after, timeout: 200 })).rejects.toThrow('No inbound message arrived');
  });

  it('goes on behind a message that another process was given, by its id alone', async () => {
    const mailbox = open();
    const [first, second] = subjects.slice(0, 2).map((subject) => mailbox.deliver(subject, 9));
    const { messages } = client();
    expect((await messages.waitFor({ after: first?.id })).id).toBe(second?.id);
    await expect(messages.waitFor({ after: second, timeout: 200 })).rejects.toThrow('No inbound message');
    const unordered = mailbox.store('listed before its event');
    const listed = await messages.list();
    const waiting = messages.waitFor({ after: listed.messages[0], timeout: 300_000 });
    mailbox.order(unordered);
    mailbox.deliver('new');
    expect((await waiting).subject).toBe('new');
  });

  it.each([['nonsense'], ['msg_'], ['2026-13-45'], [new Date(Number.NaN)], [17], [{}]])(
    'is told that %o is no place',
    async (after) => {
      open();
      const waiting = client().messages.waitFor({ after: after as string });
      await expect(waiting).rejects.toThrow(PostriderError);
      await expect(waiting).rejects.toThrow('after must be a message, the id of a message, a time');
    },
  );
});
