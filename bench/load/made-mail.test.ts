import { seededRandom } from '@postrider/testkit/lib/seeded-random.ts';
import { expect, it } from 'vitest';
import { idLength, makeLargeMail, makeSmallMail } from './made-mail.ts';

const mailOf = (seed: number) => makeSmallMail('bob@inbox.example', seededRandom(seed));
const textOf = ({ head, tail }: ReturnType<typeof mailOf>) => `${head}${tail}`;

it('makes a small mail of exactly 5,181 bytes, whatever is in it', () => {
  for (let seed = 0; seed < 200; seed++) expect(textOf(mailOf(seed)).length - '.\r\n'.length).toBe(5_181);
});

it('makes the same mail from the same seed', () => {
  expect(textOf(mailOf(1))).toBe(textOf(mailOf(1)));
  expect(textOf(mailOf(1))).not.toBe(textOf(mailOf(2)));
});

it('leaves a place for the id in the Message-ID and in the text', () => {
  const { head, idOffsets } = mailOf(1);
  const places = idOffsets.map((at) => head.toString('latin1', at - 12, at + idLength));
  expect(places).toEqual([`essage-ID: <${'#'.repeat(idLength)}`, `\nReference: ${'#'.repeat(idLength)}`]);
});

it('ends a mail at its only final dot, with lines that any server takes', () => {
  for (const mail of [mailOf(1), makeLargeMail('bob@inbox.example', seededRandom(1))]) {
    const text = textOf(mail);
    expect(text.indexOf('\r\n.')).toBe(text.length - '\r\n.\r\n'.length);
    expect(text.split('\r\n').filter((line) => line.length > 120)).toEqual([]);
  }
});

it('makes a large mail of some 10 MB', () => {
  const { head, tail } = makeLargeMail('bob@inbox.example', seededRandom(1));
  expect((head.length + tail.length) / 2 ** 20).toBeCloseTo(9.6, 1);
});
