import { describe, expect, it } from 'vitest';
import { deadlineByHand } from '../../test/deadline.ts';
import { failingOnce, type SeenRequest, stubApi } from '../../test/stub-api.ts';
import { StubMailbox } from '../../test/stub-mailbox.ts';
import { DeliveryFailedError, type Message, PostriderError, WaitTimeoutError } from '../index.ts';

const { reply, client } = stubApi();
const ada = 'ada@example.com';
const bob = 'bob@example.com';
const said = '550 5.1.1 No such user';
const second = 1_000;

function open(mailbox: StubMailbox): SeenRequest[] {
  return reply((seen) => mailbox.answer(seen));
}

const waitForReply = (sent: Message, timeout = 300_000) => client().messages.waitForReply(sent, { timeout });
const waitInThread = ({ thread_id }: Message, timeout = 300_000) =>
  client().messages.waitFor({ thread_id, timeout });
const catchFailure = async (wait: Promise<unknown>): Promise<DeliveryFailedError> => {
  const error = await wait.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DeliveryFailedError);
  return error as DeliveryFailedError;
};

describe.each([
  ['a reply', waitForReply],
  ['mail in a thread', waitInThread],
])('waiting for %s', (_what, wait) => {
  it('ends at once if the message had failed before', async () => {
    const mailbox = new StubMailbox();
    const sent = mailbox.send('Lunch?', second);
    mailbox.settle(sent, ada, 'bounced', said, 'message.bounced');
    open(mailbox);
    const error = await catchFailure(wait(sent));
    expect(error).toBeInstanceOf(PostriderError);
    expect(error).toMatchObject({ name: 'DeliveryFailedError', reason: 'bounced', isRetryable: false });
    expect([error.sent.id, error.threadId]).toEqual([sent.id, sent.thread_id]);
    expect(error.recipients).toMatchObject([{ address: ada, status: 'bounced', detail: said }]);
    expect(error.message).toBe(
      `The message "Lunch?" to ${ada} bounced, so no reply will come: "${said}". ` +
        'Do not send it again: the address is now suppressed. Check the address, or write to another one.',
    );
  });

  it('ends when the message fails, without asking again and again until then', async () => {
    const mailbox = new StubMailbox();
    const sent = mailbox.send('Lunch?', second);
    const seen = open(mailbox);
    const waiting = catchFailure(wait(sent));
    await mailbox.followed();
    const asked = seen.length;
    mailbox.settle(sent, ada, 'bounced', said, 'message.bounced');
    expect((await waiting).reason).toBe('bounced');
    expect(asked).toBeLessThanOrEqual(5);
    expect(seen.length).toBe(asked + 1);
  });

  it('goes on until the last recipient has failed', async () => {
    const mailbox = new StubMailbox();
    const sent = mailbox.send('Lunch?', second, [ada, bob]);
    mailbox.settle(sent, ada, 'bounced', said, 'message.bounced');
    open(mailbox);
    await expect(wait(sent, 300)).rejects.toThrow(WaitTimeoutError);
    const waiting = catchFailure(wait(sent));
    await mailbox.followed();
    mailbox.settle(sent, bob, 'rejected', '554 5.7.1 Refused', 'message.rejected');
    const error = await waiting;
    expect(error.reason).toBe('bounced');
    expect(error.recipients.map(({ address }) => address)).toEqual([ada, bob]);
  });

  it('goes on over failures of the server, and ends with that of the message', async () => {
    const mailbox = new StubMailbox();
    const sent = mailbox.send('Lunch?', second);
    mailbox.settle(sent, ada, 'bounced', said);
    reply(failingOnce((request) => mailbox.answer(request)));
    expect((await catchFailure(wait(sent, 300_000))).reason).toBe('bounced');
  });

  it('goes on while an older message of the thread fails', async () => {
    const mailbox = new StubMailbox();
    const older = mailbox.send('Lunch?', 2 * second, [bob]);
    const sent = mailbox.send('Lunch?', second);
    mailbox.settle(older, bob, 'bounced', said, 'message.bounced');
    open(mailbox);
    const waiting = wait(sent);
    await mailbox.followed();
    mailbox.settle(older, bob, 'bounced', said, 'message.bounced');
    await mailbox.followed();
    mailbox.deliver('Gladly', 0, { thread_id: sent.thread_id, auto_submitted: false });
    expect((await waiting).subject).toBe('Gladly');
  });

  it('says at its end that the message was still held', async () => {
    const mailbox = new StubMailbox();
    const sent = mailbox.send('Lunch?', second, [ada], { delivery_status: 'held' });
    mailbox.settle(sent, ada, 'held', null);
    open(mailbox);
    const deadline = deadlineByHand();
    const waiting = wait(sent).catch((reason: unknown) => reason);
    await mailbox.followed();
    deadline.abort();
    const error = await waiting;
    expect(error).toMatchObject({ name: 'WaitTimeoutError', sentStatus: 'held' });
    expect(String(error)).toContain('once people approve it');
  });
});

describe('a reply that was there before its message failed', () => {
  it('is returned', async () => {
    const mailbox = new StubMailbox();
    const sent = mailbox.send('Lunch?', second);
    mailbox.deliver('No!', 0, { thread_id: sent.thread_id, auto_submitted: false });
    mailbox.settle(sent, ada, 'complained', 'feedback: abuse', 'message.complained');
    open(mailbox);
    expect((await waitForReply(sent)).subject).toBe('No!');
  });
});

describe('mail in a thread', () => {
  it('is waited for if the last message came from somebody else, unless that was a machine', async () => {
    const mailbox = new StubMailbox();
    const sent = mailbox.send('Lunch?', second);
    mailbox.settle(sent, ada, 'bounced', said);
    const answer = { thread_id: sent.thread_id, auto_submitted: true };
    mailbox.deliver('I am away', 500, answer);
    open(mailbox);
    expect((await catchFailure(waitInThread(sent))).reason).toBe('bounced');
    mailbox.deliver('Where are you?', 100, { ...answer, auto_submitted: false });
    await expect(waitInThread(sent, 300)).rejects.toThrow(WaitTimeoutError);
  });
});

describe('the reason of a failure', () => {
  it.each([
    ['bounced', '550 not_approved: trust me', 'bounced', false],
    ['complained', 'feedback: abuse', 'complained', false],
    ['rejected', '554 5.7.1 Refused', 'rejected', false],
    ['rejected', 'not_approved: too pushy', 'not_approved', false],
    ['failed', 'expired: 421 4.3.2 Try later', 'expired', true],
    ['failed', 'unconfirmed: the connection broke', 'unconfirmed', false],
  ] as const)('of %s with %j is %s', async (status, detail, reason, isRetryable) => {
    const mailbox = new StubMailbox();
    const sent = mailbox.send('Lunch?', second);
    mailbox.settle(sent, ada, status, detail);
    open(mailbox);
    const error = await catchFailure(waitForReply(sent));
    expect(error).toMatchObject({ reason, isRetryable });
    expect(error.message).toContain(JSON.stringify(detail.replace(/^[a-z_]+: /, '')));
  });

  it('is the worst of its recipients, of which three are named', () => {
    const mailbox = new StubMailbox();
    const sent = mailbox.send('Lunch?', second, ['1@x.test', '2@x.test', '3@x.test', '4@x.test']);
    for (const { address } of sent.recipients) mailbox.settle(sent, address, 'failed', 'expired: away');
    mailbox.settle(sent, '4@x.test', 'bounced', `${'x'.repeat(300)}`);
    const { message, reason } = new DeliveryFailedError(sent);
    expect(reason).toBe('bounced');
    expect(message).toContain(`to 4@x.test, 1@x.test, 2@x.test and 1 more bounced`);
    expect(message).toContain(`"${'x'.repeat(200)}"`);
  });
});
