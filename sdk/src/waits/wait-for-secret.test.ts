import { describe, expect, it } from 'vitest';
import { deadlineByHand } from '../../test/deadline.ts';
import { failingOnce, type SeenRequest, stubApi, stubBaseURL } from '../../test/stub-api.ts';
import { StubMailbox } from '../../test/stub-mailbox.ts';
import { type Message, type WaitLimits, WaitTimeoutError } from '../index.ts';

const { reply, client } = stubApi();
const hour = 3_600_000;

function open(mailbox: StubMailbox): SeenRequest[] {
  return reply((seen) => mailbox.answer(seen));
}

describe('waiting for a code', () => {
  it('gives the code of the first message that has one', async () => {
    const mailbox = new StubMailbox();
    open(mailbox);
    mailbox.deliver('Welcome', 9, { body_text: 'Welcome to Example, since 2026.' });
    mailbox.deliver('Sign in', 5, { body_text: 'Your code is 482913.' });
    const { code, message } = await client().messages.waitForCode({ after: mailbox.time(hour) });
    expect([code, message.subject]).toEqual(['482913', 'Sign in']);
  });

  it.each(['x', 'Your code is 7731'])(
    'looks into the whole body where it was cut to %j',
    async (body_text) => {
      const mailbox = new StubMailbox();
      const seen = reply(
        failingOnce(async (request) => {
          const answered = await mailbox.answer(request);
          if (!/^\/messages\//.test(request.path)) return answered;
          const whole = { body_text: 'x\nYour code is 773164', body_truncated: false };
          return Response.json({ ...(await answered.json()), ...whole });
        }),
      );
      mailbox.deliver('Long', 9, { body_text, body_truncated: true });
      const waiting = client({ maxRetries: 0 }).messages.waitForCode({ after: mailbox.time(hour) });
      expect(await waiting).toMatchObject({ code: '773164' });
      expect(seen.filter(({ path }) => /^\/messages\//.test(path))).toHaveLength(2);
    },
  );

  it('leaves out what match refuses, and says what it waited for', async () => {
    const mailbox = new StubMailbox();
    open(mailbox);
    mailbox.deliver('Other', 9, { body_text: 'Your code is 482913.' });
    const params = {
      after: mailbox.time(hour),
      timeout: 300,
      match: ({ subject }: Message) => subject !== 'Other',
    };
    const deadline = deadlineByHand();
    const waiting = client()
      .messages.waitForCode(params)
      .catch((reason: unknown) => reason);
    await mailbox.followed();
    deadline.abort();
    const error = await waiting;
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(String(error)).toContain('No inbound message with a code arrived within 0.3 s, but "Other" from');
  });
});

describe('the newest secret', () => {
  it('counts with after, since it makes older ones void', async () => {
    const mailbox = new StubMailbox();
    open(mailbox);
    mailbox.deliver('Code', 50, { body_text: 'Your code is 111222.' });
    mailbox.deliver('Code', 40, { body_text: 'Your code is 333444. https://example.com/login?t=1' });
    mailbox.deliver('Welcome', 30, { body_text: 'Hello!' });
    const { messages } = client();
    const after = mailbox.time(hour);
    const { code, message } = await messages.waitForCode({ after });
    expect(code).toBe('333444');
    expect((await messages.waitForLink({ after })).url).toBe('https://example.com/login?t=1');
    const next = messages.waitForCode({ after: message });
    mailbox.deliver('Code', 0, { body_text: 'Your code is 555666.' });
    mailbox.deliver('Code', 0, { body_text: 'Your code is 777888.' });
    expect(['555666', '777888']).toContain((await next).code);
  });

  it('is the first one that comes where none is there', async () => {
    const mailbox = new StubMailbox();
    open(mailbox);
    const waiting = client().messages.waitForCode({ after: mailbox.time(hour) });
    mailbox.deliver('Welcome');
    mailbox.deliver('Code', 0, { body_text: 'Your code is 555666.' });
    expect((await waiting).code).toBe('555666');
  });
});

describe('a pattern of a code', () => {
  it('finds what looks like it, in subject or text, by its first group where it has one', async () => {
    const mailbox = new StubMailbox();
    open(mailbox);
    mailbox.deliver('Other', 50, { body_text: 'Your code is 111222.' });
    mailbox.deliver('Key X7-991', 40, { body_text: 'Type PIN:ab12cd to go on.' });
    const { messages } = client();
    const after = mailbox.time(hour);
    const global = /X\d-\d{3}/g;
    for (let round = 0; round < 2; round++)
      expect((await messages.waitForCode({ after, pattern: global })).code).toBe('X7-991');
    expect((await messages.waitForCode({ after, pattern: /PIN:(\w{6})/ })).code).toBe('ab12cd');
    const waiting = messages.waitForCode({ after, pattern: /Z{9}/, timeout: 300 });
    await expect(waiting).rejects.toThrow('with a code like /Z{9}/ arrived within');
  });
});

describe('options that are the second argument', () => {
  it('end a wait as those among its parameters do', async () => {
    open(new StubMailbox());
    const { messages } = client();
    for (const name of ['waitFor', 'waitForCode', 'waitForLink'] as const) {
      const wait = (limits: WaitLimits): Promise<unknown> => messages[name]({}, limits);
      const controller = new AbortController();
      const waiting = wait({ signal: controller.signal });
      controller.abort();
      await expect(waiting).rejects.toThrow('The wait was aborted.');
      await expect(wait({ timeout: 100 })).rejects.toThrow('arrived within 0.1 s');
    }
  });
});

describe('a match that answers later', () => {
  it('is refused, since its promise would accept everything', async () => {
    const mailbox = new StubMailbox();
    open(mailbox);
    mailbox.deliver('Code', 9, {
      body_text: 'Your code is 111222. https://example.com/login',
    });
    const { messages } = client();
    const match = (async () => false) as unknown as () => boolean;
    const after = mailbox.time(hour);
    const sent = mailbox.store('sent', 99, { direction: 'outbound', thread_id: 'thr_1' });
    mailbox.deliver('reply', 9, { thread_id: 'thr_1', message_id: '<reply@example.com>' });
    const waits = [
      messages.waitFor({ after, match }),
      messages.waitForCode({ after, match }),
      messages.waitForLink({ after, match }),
      messages.waitForReply(sent, { match }),
    ];
    const outcomes = await Promise.allSettled(waits);
    const refusal = {
      reason: expect.objectContaining({ message: expect.stringContaining('must return at once') }),
    };
    expect(outcomes).toEqual(waits.map(() => ({ status: 'rejected', ...refusal })));
  });
});

describe('waiting for a link', () => {
  it('takes one over http to this machine where the server is on this machine', async () => {
    const mailbox = new StubMailbox();
    open(mailbox);
    const url = 'http://localhost:3000/confirm?token=8f3b';
    mailbox.deliver('Confirm', 9, { body_text: `Confirm: http://evil.example/confirm?token=1 ${url}` });
    const after = mailbox.time(hour);
    const fetch: typeof globalThis.fetch = (address, init) =>
      globalThis.fetch(String(address).replace('http://127.0.0.1:4400/v1', stubBaseURL), init);
    const local = client({ baseURL: 'http://127.0.0.1:4400/v1', fetch });
    expect((await local.messages.waitForLink({ after })).url).toBe(url);
    await expect(client().messages.waitForLink({ after, timeout: 200 })).rejects.toThrow(WaitTimeoutError);
  });

  it('gives the link that confirms, or the first that match accepts', async () => {
    const mailbox = new StubMailbox();
    open(mailbox);
    mailbox.deliver('News', 9, { body_text: 'https://example.com/news' });
    mailbox.deliver('Confirm', 5, { body_html: '<a href="https://example.com/c/1">Confirm</a>' });
    const after = mailbox.time(hour);
    expect(await client().messages.waitForLink({ after })).toMatchObject({ url: 'https://example.com/c/1' });
    const news = await client().messages.waitForLink({ after, match: /news/ });
    expect([news.url, news.message.subject]).toEqual(['https://example.com/news', 'News']);
  });
});

describe('waiting for a reply', () => {
  it('takes the id of what was sent, and says what it needs', async () => {
    const mailbox = new StubMailbox();
    open(mailbox);
    const { messages } = client();
    const sent = send(mailbox);
    mailbox.deliver('Re: Lunch?', 20, { thread_id });
    expect((await messages.waitForReply(sent.id)).subject).toBe('Re: Lunch?');
    for (const nothing of [undefined, null, {}, '', 7]) {
      const waiting = messages.waitForReply(nothing as unknown as string);
      await expect(waiting).rejects.toThrow('waitForReply needs the sent message');
    }
  });

  const thread_id = 'thr_1';
  const send = (mailbox: StubMailbox) =>
    mailbox.store('Lunch?', 60, { direction: 'outbound', thread_id, message_id: '<sent@example.com>' });

  it('gives the first one of the thread that is no automatic one, also when it is there already', async () => {
    const mailbox = new StubMailbox();
    open(mailbox);
    mailbox.deliver('before', 90, { thread_id });
    const sent = send(mailbox);
    mailbox.deliver('my own copy', 50, { thread_id, message_id: '<sent@example.com>' });
    mailbox.deliver('away', 40, { thread_id, auto_submitted: true });
    mailbox.deliver('elsewhere', 30, { thread_id: 'thr_2' });
    mailbox.deliver('Re: Lunch?', 20, { thread_id });
    const { messages } = client();
    expect((await messages.waitForReply(sent)).subject).toBe('Re: Lunch?');
    expect((await messages.waitForReply(sent, { automatic: true, after: undefined })).subject).toBe('away');
  });

  it('gives one that comes later, from the log', async () => {
    const mailbox = new StubMailbox();
    const seen = open(mailbox);
    const sent = send(mailbox);
    const waiting = client().messages.waitForReply(
      { id: sent.id },
      { match: ({ subject }) => subject !== 'no' },
    );
    await expect.poll(() => seen.some(({ path }) => path.includes('wait_seconds'))).toBe(true);
    mailbox.deliver('elsewhere', 0, { thread_id: 'thr_2' });
    mailbox.deliver('no', 0, { thread_id });
    mailbox.deliver('yes', 0, { thread_id });
    expect((await waiting).subject).toBe('yes');
  });
});
