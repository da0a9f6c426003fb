import { expect, test } from 'vitest';
import { judgeText } from './judge-text.ts';
import { makeTexts, type TextHalf } from './made-texts.ts';
import { readMadeText } from './read-made-text.ts';

test.each<TextHalf>(['tuned', 'held out'])(
  'the text of every receipt, invoice, journey and report of the %s half has its rows on lines, and no cells touch',
  (half) => {
    const judged = makeTexts(half).map((made) => [
      made.sender,
      made.kind,
      judgeText(made, readMadeText(made.html)),
    ]);
    expect(judged).toHaveLength(35);
    expect(judged.filter(([, , verdict]) => verdict !== 'right')).toEqual([]);
  },
);

test('the halves have neither senders nor documents in common', () => {
  const [tuned, heldOut] = (['tuned', 'held out'] as const).map(
    (half) => new Set(makeTexts(half).flatMap(({ sender, lines }) => [sender, ...lines])),
  );
  expect([...(heldOut ?? [])].filter((one) => tuned?.has(one))).toEqual([]);
});
