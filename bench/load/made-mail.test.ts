import { seededRandom } from '@postrider/testkit/lib/seeded-random.ts';
import { expect, it } from 'vitest';
import { idLength, makeLargeMail, makeSmallMail } from './made-mail.ts';

const smallMail = (seed: number) => makeSmallMail('bob@inbox.example', seededRandom(seed));
const joinParts = ({ head, tail }: ReturnType<typeof smallMail>) => `${head}${tail}`;

it('makes a small mail of exactly 5,181 bytes, whatever is in it', () => {
  for (let seed = 0; seed < 200; seed++)
    expect(joinParts(smallMail(seed)).length - '.\r\n'.length).toBe(5_181);
});

it('makes the same mail from the same seed', () => {
  expect(joinParts(smallMail(1))).toBe(joinParts(smallMail(1)));
  expect(joinParts(smallMail(1))).not.toBe(joinParts(smallMail(2)));
});

it('leaves a place for the id in the Message-ID and in the text', () => {
  const { head, idOffsets } = smallMail(1);
  const places = idOffsets.map((at) => head.toString('latin1', at - 12, at + idLength));
  expect(places).toEqual([`essage-ID: <${'#'.repeat(idLength)}`, `\nReference: ${'#'.repeat(idLength)}`]);
});

it('ends a mail at its only final dot, with lines that any server takes', () => {
  for (const mail of [smallMail(1), makeLargeMail('bob@inbox.example', seededRandom(1))]) {
    const text = joinParts(mail);
    expect(text.indexOf('\r\n.')).toBe(text.length - '\r\n.\r\n'.length);
    expect(text.split('\r\n').filter((line) => line.length > 120)).toEqual([]);
  }
});

it('makes a large mail of some 10 MB', () => {
  const { head, tail } = makeLargeMail('bob@inbox.example', seededRandom(1));
  expect((head.length + tail.length) / 2 ** 20).toBeCloseTo(9.6, 1);
});
