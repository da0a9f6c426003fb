import { describe, expect, it } from 'vitest';
import { stubApi } from '../../test/stub-api.ts';
import { StubMailbox } from '../../test/stub-mailbox.ts';

const { reply, client } = stubApi();

/** The fields of a message whose mail the server has not read yet. */
const unread = { body_text: null, extracted_text: null, truncated: ['body_text', 'attachments'] };
const whole = (text: string) => ({ body_text: text, extracted_text: text, truncated: [] });
const came = ['body_text', 'attachments', 'extracted_text'];

function open(): StubMailbox {
  const mailbox = new StubMailbox();
  reply((seen) => mailbox.answer(seen));
  return mailbox;
}

describe('mail that a busy server reads later', () => {
  it('has its code once it was read', async () => {
    const mailbox = open();
    const waiting = client().messages.waitForCode({});
    await mailbox.followed();
    const message = mailbox.deliver('Sign in', 0, unread);
    mailbox.update(message, { read: true }, ['read']);
    await mailbox.followed();
    mailbox.update(message, whole('Your code is 482913.'), came);
    expect(await waiting).toMatchObject({ code: '482913', message: { id: message.id } });
  });

  it('has its code at once if that is in the subject', async () => {
    const mailbox = open();
    const waiting = client().messages.waitForCode({});
    await mailbox.followed();
    mailbox.deliver('482913 is your code', 0, unread);
    expect((await waiting).code).toBe('482913');
  });

  it('is matched by its text, and given with it', async () => {
    const mailbox = open();
    const { messages } = client();
    const waits = [
      messages.waitFor({}),
      messages.waitFor({ match: ({ body_text }) => body_text?.includes('tea') ?? false }),
    ];
    await mailbox.followed(2);
    const message = mailbox.deliver('Tea?', 0, unread);
    await mailbox.followed(2);
    mailbox.update(message, whole('Some tea?'), came);
    for (const waiting of waits) expect((await waiting).body_text).toBe('Some tea?');
  });

  it('is found by its files, also if it was there before the wait', async () => {
    const mailbox = open();
    const message = mailbox.deliver('Plan', 0, unread);
    const waiting = client().messages.waitFor({ after: mailbox.time(1_000), has_attachment: true });
    await mailbox.followed();
    const file = { id: 'att_1', filename: 'plan.txt' };
    mailbox.update(message, { ...whole('See below.'), attachments: [file] as never }, came);
    expect((await waiting).attachments).toHaveLength(1);
  });

  it('counts as it is when the time is over', async () => {
    const mailbox = open();
    const { id } = mailbox.deliver('Tea?', 0, unread);
    const waiting = client().messages.waitFor({ after: mailbox.time(1_000), timeout: 5_000 });
    expect(await waiting).toMatchObject({ id, body_text: null });
  });

  it('counts at once if it takes too much to be read', async () => {
    const mailbox = open();
    const waiting = client().messages.waitFor({});
    await mailbox.followed();
    const message = mailbox.deliver('Tea?', 0, unread);
    mailbox.update(message, {}, []);
    expect((await waiting).id).toBe(message.id);
  });

  it('comes once in a stream, when it was read, also if the stream is resumed in between', async () => {
    const mailbox = open();
    const { messages } = client();
    const stream = messages.stream({ after: mailbox.time(1_000) });
    const late = mailbox.deliver('late', 0, unread);
    mailbox.deliver('quick');
    expect((await stream.next()).value?.subject).toBe('quick');
    const cursor = stream.cursor ?? '';
    await stream.return();
    const resumed = client().messages.stream({ after: cursor });
    const next = resumed.next();
    await mailbox.followed();
    mailbox.update(late, whole('Late.'), came);
    mailbox.update(late, { read: true }, ['read']);
    expect((await next).value?.body_text).toBe('Late.');
    mailbox.deliver('last');
    expect((await resumed.next()).value?.subject).toBe('last');
    await resumed.return();
  });
});
