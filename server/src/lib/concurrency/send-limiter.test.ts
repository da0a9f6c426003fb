import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  createSendLimiter,
  type MessageSize,
  type SendLimiter,
  sendLimits,
} from '../admission/message-slots.ts';
import { largeSendSlots } from '../admission/server-limits.ts';

const message: MessageSize = { recipients: [], text: 'Hello', html: null, attachments: null };
const large = { ...message, text: 'x'.repeat(sendLimits.smallTextMax + 1) };

const inTurn = async (
  turns: SendLimiter,
  workspaceId: string,
  size: MessageSize,
  work: () => Promise<void>,
) => {
  const endTurn = await turns.takeTurn(workspaceId, size);
  await work().finally(endTurn);
};

test('a burst of large messages of one workspace leaves the next turn to another one', async () => {
  const turns = createSendLimiter();
  const begun: string[] = [];
  const { promise: held, resolve: end } = Promise.withResolvers<void>();
  const send = (workspaceId: string) =>
    inTurn(turns, workspaceId, large, () => {
      begun.push(workspaceId);
      return held;
    });
  const burst = Array.from({ length: 50 }, () => send('wsp_greedy'));
  const other = send('wsp_modest');
  await setImmediate();
  const ownMax = largeSendSlots.ofOwner;
  expect(begun).toEqual([...Array(ownMax).fill('wsp_greedy'), 'wsp_modest']);
  end();
  await Promise.all([...burst, other]);
});

test.each<[string, Partial<MessageSize>]>([
  [
    'many recipients',
    { recipients: Array(sendLimits.smallRecipientsMax + 1).fill({ address: 'a@b.example' }) },
  ],
  ['much text and HTML together', { text: 'x'.repeat(40_000), html: 'x'.repeat(40_000) }],
  ['a file', { attachments: async () => [] }],
])('a message with %s waits for its turn, and a small one does not', async (_what, part) => {
  const turns = createSendLimiter();
  const { promise: held, resolve: end } = Promise.withResolvers<void>();
  const first = Array.from({ length: largeSendSlots.ofOwner }, () =>
    inTurn(turns, 'wsp_one', large, () => held),
  );
  let isStored = false;
  const second = inTurn(turns, 'wsp_one', { ...message, ...part }, async () => {
    isStored = true;
  });
  await inTurn(turns, 'wsp_one', message, async () => {});
  await setImmediate();
  expect(isStored).toBe(false);
  end();
  await Promise.all([...first, second]);
  expect(isStored).toBe(true);
});
