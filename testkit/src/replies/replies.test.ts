import { expect, test } from 'vitest';
import { extractReply, fold, judgeReply, type Reply, readOtherMails, readReplies } from './replies.ts';

const halves = ['tuned', 'held out'] as const satisfies Reply['half'][];
/** Enough of each half that a pattern which goes wrong shows. */
const some = 120;

test.each(halves)('of the %s half at least 88 % are right and at most 2 % lose text', async (half) => {
  const count = { right: 0, lost: 0, left: 0 };
  for (const reply of readReplies(half).slice(-some)) {
    const { extracted } = await extractReply(reply, { isReply: true });
    count[judgeReply(reply, extracted)] += 1;
  }
  expect(count.right).toBeGreaterThanOrEqual(0.88 * some);
  expect(count.lost).toBeLessThanOrEqual(0.02 * some);
});

test('nothing is cut in mail that answers nothing', async () => {
  for (const mail of readOtherMails().slice(0, 150)) {
    const { text, extracted } = await extractReply(mail, { isReply: false });
    expect([mail.kind, fold(extracted)]).toEqual([mail.kind, fold(text)]);
  }
});

test('each half has all sixteen languages, and other clients and texts than the other', () => {
  const replies = halves.map(readReplies);
  for (const half of replies) expect(new Set(half.map(({ language }) => language)).size).toBe(16);
  const [tuned, heldOut] = replies.map(
    (half) => new Set(half.flatMap(({ client, expected }) => [client, expected.join('\n')])),
  );
  expect([...(heldOut ?? [])].filter((one) => tuned?.has(one))).toEqual([]);
});
