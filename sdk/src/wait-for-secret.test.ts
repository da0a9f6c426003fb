import { describe, expect, it } from 'vitest';
import { failingOnce, type SeenRequest, stubApi } from '../test/stub-api.ts';
import { StubMailbox } from '../test/stub-mailbox.ts';
import { type Message, WaitTimeoutError } from './index.ts';

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
    const error = await client()
      .messages.waitForCode(params)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(String(error)).toContain('No inbound message with a code came within 0.3 s, but "Other" from');
  });
});

describe('waiting for a link', () => {
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
