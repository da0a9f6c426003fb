import { expect, test } from 'vitest';
import { fold, judgeReply } from './judge-reply.ts';
import { languages, makeReplies } from './made-replies.ts';
import { makeOtherMails } from './other-mails.ts';
import { readMadeMail } from './read-made-mail.ts';
import type { Half } from './tricky-bodies.ts';

/** Enough of each half that a pattern which goes wrong shows. */
const some = 120;

test.each<Half>(['tuned', 'held out'])(
  'of the %s half at least 88 % are right and at most 2 % lose text',
  async (half) => {
    const replies = makeReplies(half, 4_711).slice(-some);
    const count = { right: 0, lost: 0, left: 0 };
    for (const reply of replies) {
      const { extracted } = await readMadeMail(reply, { answers: true });
      count[judgeReply(reply, extracted)] += 1;
    }
    expect(count.right).toBeGreaterThanOrEqual(0.88 * some);
    expect(count.lost).toBeLessThanOrEqual(0.02 * some);
  },
);

test('nothing is cut in mail that answers nothing', async () => {
  for (const mail of makeOtherMails(150, 4_711)) {
    const { text, extracted } = await readMadeMail(mail, { answers: false });
    expect([mail.kind, fold(extracted)]).toEqual([mail.kind, fold(text)]);
  }
});

test('the same seed makes the same mails, in all languages and with other texts in each half', () => {
  expect(makeReplies('tuned', 1)).toEqual(makeReplies('tuned', 1));
  expect(makeOtherMails(50, 1)).toEqual(makeOtherMails(50, 1));
  const halves = (['tuned', 'held out'] as const).map((half) => makeReplies(half, 1));
  for (const replies of halves)
    expect(new Set(replies.map(({ language }) => language)).size).toBe(languages.length);
  const [tuned, heldOut] = halves.map(
    (replies) => new Set(replies.flatMap(({ client, expected }) => [client, expected.join('\n')])),
  );
  expect([...(heldOut ?? [])].filter((one) => tuned?.has(one))).toEqual([]);
});
