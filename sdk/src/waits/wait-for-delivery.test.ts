import { expect, it } from 'vitest';
import { stubApi } from '../../test/stub-api.ts';
import { StubMailbox } from '../../test/stub-mailbox.ts';
import { DeliveryFailedError, type Message, PostriderError, WaitTimeoutError } from '../index.ts';

const { reply, client } = stubApi();
const ada = 'ada@example.com';
const bob = 'bob@example.com';

const open = (to?: string[]) => {
  const mailbox = new StubMailbox();
  const sent = mailbox.send('Lunch?', 1_000, to);
  const seen = reply((request) => mailbox.answer(request));
  return { mailbox, sent, seen };
};
const wait = (sent: Pick<Message, 'id'> | string, timeout = 300_000) =>
  client().messages.waitForDelivery(sent, { timeout });

it('resolves at once for a message that a relay, the sandbox or the recipient has', async () => {
  for (const status of ['sent', 'delivered'] as const) {
    const { mailbox, sent } = open();
    mailbox.settle(sent, ada, status, null);
    expect((await wait(sent.id)).recipients).toMatchObject([{ address: ada, status }]);
  }
});

it.each(['queued', 'held', 'sending', 'deferred'] as const)(
  'goes on while a recipient is %s, and resolves by the event that it was sent',
  async (status) => {
    const { mailbox, sent, seen } = open();
    mailbox.settle(sent, ada, status, null);
    const waiting = wait(sent);
    await mailbox.followed();
    const asked = seen.length;
    mailbox.settle(sent, ada, 'sent', '250 Ok', 'message.sent');
    expect((await waiting).recipients).toMatchObject([{ status: 'sent' }]);
    expect(seen.length).toBe(asked + 1);
  },
);

it('waits for every recipient, and resolves if only some have failed', async () => {
  const { mailbox, sent } = open([ada, bob]);
  mailbox.settle(sent, ada, 'bounced', '550 5.1.1 No', 'message.bounced');
  mailbox.settle(sent, bob, 'sending', null);
  await expect(wait(sent, 300)).rejects.toThrow(WaitTimeoutError);
  const waiting = wait(sent);
  await mailbox.followed();
  mailbox.settle(sent, bob, 'delivered', '250 Ok', 'message.delivered');
  expect((await waiting).recipients.map(({ status }) => status)).toEqual(['bounced', 'delivered']);
});

it.each([
  ['bounced', 'message.bounced', '550 5.1.1 No', 'bounced'],
  ['rejected', 'message.rejected', 'not_approved: Wrong tone', 'not_approved'],
  ['failed', 'message.rejected', 'expired: connect ECONNREFUSED', 'expired'],
] as const)('rejects once the message is %s for all, by %s', async (status, event, detail, reason) => {
  const { mailbox, sent } = open();
  mailbox.settle(sent, ada, 'held', null);
  const waiting = wait(sent).catch((error: unknown) => error);
  await mailbox.followed();
  mailbox.settle(sent, ada, status, detail, event);
  const error = await waiting;
  expect(error).toBeInstanceOf(DeliveryFailedError);
  expect(error).toMatchObject({ reason });
});

it('ends by its timeout with the status, and is refused for what was not sent', async () => {
  const { mailbox, sent } = open();
  mailbox.settle(sent, ada, 'held', null);
  await expect(wait(sent, 200)).rejects.toMatchObject({ name: 'WaitTimeoutError' });
  await expect(wait('')).rejects.toThrow(PostriderError);
  const received = mailbox.deliver('Hello', 0);
  await expect(wait(received.id)).rejects.toThrow('received');
});
