import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { errorAnswer, type SeenRequest, stubApi } from '../test/stub-api.ts';
import { StubMailbox } from '../test/stub-mailbox.ts';
import { AbortedError, APIError, TimeoutError, WaitTimeoutError } from './index.ts';

const { reply, client } = stubApi();
const second = 1_000;
const hour = 3_600 * second;

function open(mailbox: StubMailbox): SeenRequest[] {
  return reply((seen) => mailbox.answer(seen));
}

describe('waiting for a message', () => {
  it('gives one that comes later, after two requests', async () => {
    const mailbox = new StubMailbox();
    const seen = open(mailbox);
    const waiting = client().messages.waitFor({ inbox_id: 'inb_1' });
    await sleep(100);
    const startMs = performance.now();
    const { id } = mailbox.deliver('new');
    expect((await waiting).id).toBe(id);
    expect(performance.now() - startMs).toBeLessThan(second);
    expect(seen).toHaveLength(2);
  });

  it('gives one that comes before the first request is answered', async () => {
    const mailbox = new StubMailbox();
    reply(async (seen) => {
      await sleep(50);
      return mailbox.answer(seen);
    });
    const waiting = client().messages.waitFor({});
    mailbox.deliver('quick');
    expect((await waiting).subject).toBe('quick');
  });

  it('does not give one that was there before', async () => {
    const mailbox = new StubMailbox();
    mailbox.deliver('old', 8 * second);
    open(mailbox);
    const waiting = client().messages.waitFor({});
    await sleep(50);
    mailbox.deliver('new');
    expect((await waiting).subject).toBe('new');
  });

  it('does not give one that this client has read, however young', async () => {
    const mailbox = new StubMailbox();
    const api = client();
    open(mailbox);
    for (const subject of ['first', 'second', 'third']) {
      const waiting = api.messages.waitFor({});
      mailbox.deliver(subject);
      expect((await waiting).subject).toBe(subject);
    }
    mailbox.deliver('fourth');
    for await (const message of api.messages.list({ direction: 'inbound' })) expect(message.id).toBeTruthy();
    const waiting = api.messages.waitFor({});
    await sleep(20);
    mailbox.deliver('fifth');
    expect((await waiting).subject).toBe('fifth');
  });

  it.each([-hour, hour])('goes by the clock of the server when it is %i ms ahead', async (aheadMs) => {
    const mailbox = new StubMailbox(aheadMs);
    mailbox.deliver('old', 8 * second);
    open(mailbox);
    const waiting = client().messages.waitFor({});
    await sleep(50);
    mailbox.deliver('new');
    expect((await waiting).subject).toBe('new');
  });

  it('gives one that came in before the call and was listed after it', async () => {
    const mailbox = new StubMailbox();
    mailbox.deliver('listed', 9 * second);
    open(mailbox);
    const waiting = client().messages.waitFor({});
    await sleep(100);
    mailbox.deliver('checked for long', 7 * second);
    expect((await waiting).subject).toBe('checked for long');
  });

  it('gives one from `after` on, also when it is there already', async () => {
    const mailbox = new StubMailbox();
    const { created_at } = mailbox.deliver('then', 60 * second);
    mailbox.deliver('later', 30 * second);
    const seen = open(mailbox);
    expect((await client().messages.waitFor({ after: created_at })).subject).toBe('then');
    expect((await client().messages.waitFor({ after: new Date(Date.parse(created_at) + 1) })).subject).toBe(
      'later',
    );
    expect(seen).toHaveLength(2);
  });

  it('passes the filters on, and takes only inbound mail unless told otherwise', async () => {
    const mailbox = new StubMailbox();
    mailbox.deliver('sent', 0, 'outbound');
    const seen = open(mailbox);
    const after = mailbox.time(second);
    const filters = { inbox_id: 'inb_1', from: 'ada@example.com', has_attachment: false, subject: 'code' };
    await expect(client().messages.waitFor({ ...filters, after, timeout: 50 })).rejects.toThrow(
      WaitTimeoutError,
    );
    const query = Object.fromEntries(new URL(`http://x${seen[0]?.path}`).searchParams);
    expect(query).toEqual({
      ...filters,
      has_attachment: 'false',
      direction: 'inbound',
      after,
      wait_seconds: '25',
    });
    expect((await client().messages.waitFor({ after, direction: 'outbound' })).subject).toBe('sent');
  });
});

describe('a match', () => {
  it('picks the oldest message that it accepts', async () => {
    const mailbox = new StubMailbox();
    const after = mailbox.time(hour);
    for (const [index, subject] of ['a', 'code 1', 'b', 'c', 'code 2', 'd', 'e'].entries()) {
      mailbox.deliver(subject, hour - index * second);
    }
    open(mailbox);
    const match = ({ subject }: { subject: string }) => subject.startsWith('code');
    expect((await client().messages.waitFor({ after, match })).subject).toBe('code 1');
  });

  it('does not make the waiting hot when it refuses what is there', async () => {
    const mailbox = new StubMailbox();
    const after = mailbox.time(hour);
    for (let index = 0; index < 5; index++) mailbox.deliver('other', hour - index);
    mailbox.deliver('other');
    const seen = open(mailbox);
    const match = ({ subject }: { subject: string }) => subject === 'the one';
    const waiting = client().messages.waitFor({ after, match });
    await sleep(1_200);
    expect(seen.length).toBeLessThanOrEqual(4);
    mailbox.deliver('the one');
    expect((await waiting).subject).toBe('the one');
  });

  it('sees a message that is listed after a newer one that it refused', async () => {
    const mailbox = new StubMailbox();
    const after = mailbox.time(5 * second);
    mailbox.deliver('other');
    open(mailbox);
    const match = ({ subject }: { subject: string }) => subject === 'late';
    const waiting = client().messages.waitFor({ after, match });
    await sleep(400);
    mailbox.deliver('late', 2 * second);
    expect((await waiting).subject).toBe('late');
  });

  it('is asked about each message once', async () => {
    const mailbox = new StubMailbox();
    const after = mailbox.time(hour);
    const asked: string[] = [];
    for (let index = 0; index < 8; index++) mailbox.deliver(`other ${index}`, index);
    open(mailbox);
    const waiting = client().messages.waitFor({
      after,
      timeout: 900,
      match: ({ id }) => {
        asked.push(id);
        return false;
      },
    });
    await expect(waiting).rejects.toMatchObject({ otherMessages: 8 });
    expect(asked).toHaveLength(8);
    expect(new Set(asked).size).toBe(8);
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

describe('waiting in vain', () => {
  it('ends with an error that says what was waited for', async () => {
    const mailbox = new StubMailbox();
    mailbox.deliver('other');
    open(mailbox);
    const params = {
      inbox_id: 'inb_1',
      from: 'ada@example.com',
      after: mailbox.time(hour),
      match: () => false,
    };
    const error = await client()
      .messages.waitFor({ ...params, timeout: 400 })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ name: 'WaitTimeoutError', timeoutMs: 400, otherMessages: 1 });
    expect((error as Error).message).toBe(
      'No inbound message with inbox_id "inb_1", from "ada@example.com" that passes match came within 0.4 s (1 other did).',
    );
  });

  it('ends at once when it is aborted', async () => {
    open(new StubMailbox());
    const controller = new AbortController();
    const waiting = client().messages.waitFor({ signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 100);
    const error = await waiting.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ message: 'messages.waitFor was aborted.', cause: new Error('enough') });
  });

  it('ends with the error of the API', async () => {
    reply(() => errorAnswer(404, 'not_found'));
    await expect(client().messages.waitFor({ inbox_id: 'inb_0' })).rejects.toThrow(APIError);
  });

  it('refuses a timeout that is none', async () => {
    await expect(client().messages.waitFor({ timeout: -1 })).rejects.toThrow('timeout is in milliseconds');
  });

  it('stays cool when a server answers its waits at once', async () => {
    const mailbox = new StubMailbox();
    const impatient = (path: string) => path.replace(/wait_seconds=\d+/, '');
    const seen = reply((request) => mailbox.answer({ ...request, path: impatient(request.path) }));
    await expect(client().messages.waitFor({ after: mailbox.time(), timeout: 1_100 })).rejects.toThrow();
    expect(seen.length).toBeLessThanOrEqual(6);
  });
});
