import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { deadlineByHand } from '../../test/deadline.ts';
import { settlesBefore } from '../../test/settles-before.ts';
import { errorAnswer, type SeenRequest, stubApi } from '../../test/stub-api.ts';
import { StubMailbox } from '../../test/stub-mailbox.ts';
import { AbortedError, APIError, TimeoutError, WaitTimeoutError } from '../index.ts';

const { reply, client } = stubApi();
const hour = 3_600_000;

function open(mailbox: StubMailbox): SeenRequest[] {
  return reply((seen) => mailbox.answer(seen));
}

describe('waiting in vain', () => {
  it('ends with an error that says what was waited for, and what came', async () => {
    const mailbox = new StubMailbox();
    mailbox.deliver('first');
    mailbox.deliver('other');
    open(mailbox);
    const params = {
      inbox_id: 'inb_1',
      from: 'ada@example.com',
      after: mailbox.time(hour),
      match: () => false,
    };
    const deadline = deadlineByHand();
    const waiting = client()
      .messages.waitFor({ ...params, timeout: 4_000 })
      .catch((reason: unknown) => reason);
    await mailbox.followed();
    deadline.abort();
    const error = await waiting;
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ name: 'WaitTimeoutError', timeoutMs: 4_000, otherMessages: 2 });
    expect((error as Error).message).toBe(
      'No inbound message with inbox_id "inb_1", from "ada@example.com" that passes match arrived within 4 s, ' +
        'but 2 others did, the last "other" from ada@example.com.',
    );
  });

  it('says when the server was not reached at the end', async () => {
    const mailbox = new StubMailbox();
    const seen = reply(
      (request) => mailbox.answer(request),
      () => errorAnswer(503, 'unavailable'),
    );
    const deadline = deadlineByHand();
    const waiting = client({ maxRetries: 0 })
      .messages.waitFor({ timeout: 500 })
      .catch((reason: unknown) => reason);
    // A third request comes after the answer to the second one.
    await expect.poll(() => seen.length).toBeGreaterThan(2);
    deadline.abort();
    const error = await waiting;
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(String(error)).toContain('the last request failed: ServerError: 503 unavailable');
    expect((error as Error).cause).toBeInstanceOf(APIError);
  });

  it('ends in time whatever it waits for then, and says what that was', async () => {
    const mailbox = new StubMailbox();
    const { id } = mailbox.deliver('long', 9, { body_truncated: true });
    const never = new Promise<Response>(() => {});
    reply((seen) => (seen.path === `/messages/${id}` ? never : mailbox.answer(seen)));
    const { messages } = client();
    const waits = [
      messages.waitForReply({ id }, { timeout: 200 }),
      messages.waitForCode({ after: mailbox.time(hour), timeout: 200 }),
    ];
    const errors = await Promise.all(waits.map((waiting) => waiting.catch((reason: unknown) => reason)));
    expect(errors.map(String)).toEqual([
      `WaitTimeoutError: No reply to ${id} arrived within 0.2 s.`,
      expect.stringContaining('No inbound message with a code arrived within 0.2 s'),
    ]);
  });

  it('has one deadline for all of its requests', async () => {
    const mailbox = new StubMailbox();
    const { id } = mailbox.deliver('Lunch?');
    reply(async (seen) => {
      if (seen.path === `/messages/${id}`) await sleep(300);
      return mailbox.answer(seen);
    });
    const waiting = client().messages.waitForReply({ id }, { timeout: 500 });
    const inTime = settlesBefore(750, waiting);
    await expect(waiting).rejects.toThrow(WaitTimeoutError);
    expect(await inTime).toBe(true);
  });

  it('ends at once when it is aborted', async () => {
    open(new StubMailbox());
    const controller = new AbortController();
    const waiting = client().messages.waitFor({ signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 100);
    const error = await waiting.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ message: 'The wait was aborted.', cause: new Error('enough') });
  });

  it('ends with the error of the API', async () => {
    reply(() => errorAnswer(404, 'not_found'));
    await expect(client().messages.waitFor({ inbox_id: 'inb_0' })).rejects.toThrow(APIError);
  });

  it('refuses a timeout that is none', async () => {
    await expect(client().messages.waitFor({ timeout: -1 })).rejects.toThrow('timeout must be above 0');
  });

  it('stays cool when a server answers its waits at once', async () => {
    const mailbox = new StubMailbox();
    const impatient = (path: string) => path.replace(/wait_seconds=\d+/, '');
    const seen = reply((request) => mailbox.answer({ ...request, path: impatient(request.path) }));
    await expect(client().messages.waitFor({ timeout: 1_100 })).rejects.toThrow();
    expect(seen.length).toBeLessThanOrEqual(7);
  });
});
