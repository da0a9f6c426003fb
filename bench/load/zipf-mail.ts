import { seededRandom } from '@postrider/testkit/lib/seeded-random.ts';
import { closings, commonWords, setPhrases } from './zipf-words.ts';

/** A mail with a text of 100 to 300 words, whose frequencies are those of real text. */
export interface ZipfMail {
  subject: string;
  /** The text without the quoted history. */
  newText: string;
  /** The whole text. */
  text: string;
  fromName: string;
  fromAddress: string;
}

/** The words of the vocabulary, the most frequent first. */
export const vocabularySize = 100_000;

const onsets = 'b br c d dr f g h j k kl l m n p pr r s st t tr v w z'.split(' ');
const nuclei = 'a e i o u ai ou ü é ar en il on'.split(' ');
const endings = ['', 's', 'ing', 'ed', 'er'];
const syllableCount = onsets.length * nuclei.length;
/** Numbers without a common divisor with what they are taken modulo, so that neighbours become different. */
const rootStep = 7_919_317;
const wordStep = 62_989;

/** Returns the word with a rank, 0 for the most frequent. Beyond the real ones it is made up, with an ending that a stemmer takes off. */
export function makeWord(rank: number): string {
  const real = commonWords[rank];
  if (real !== undefined) return real;
  const mixed = (rank * wordStep) % vocabularySize;
  const root = (Math.floor(mixed / endings.length) * rootStep) % syllableCount ** 3;
  const [first, rest] = [root % syllableCount, Math.floor(root / syllableCount)];
  const syllables = [first, rest % syllableCount, Math.floor(rest / syllableCount)];
  return (
    syllables
      .slice(0, rank % 3 === 0 ? 2 : 3)
      .map(makeSyllable)
      .join('') + endings[mixed % endings.length]
  );
}

function makeSyllable(number: number): string {
  return `${onsets[number % onsets.length]}${nuclei[Math.floor(number / onsets.length)]}`;
}

const firstNames = 400;
const lastNames = 4_000;

/** Returns the name with a number, which is one of 1.6 million. */
export function makeName(number: number): string {
  const first = makeWord(2_000 + (number % firstNames));
  const last = makeWord(50_000 + (Math.floor(number / firstNames) % lastNames));
  return `${capital(first)} ${capital(last)}`;
}

function capital(word: string): string {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}

/** Returns the number of the order that the mail with a number is about. No other mail has it. */
export function orderNumber(number: number): string {
  return `INV-${2020 + (number % 7)}-${number.toString().padStart(7, '0')}`;
}

/** One in so many mails ends in both languages. */
const bothEndings = 50_021;

/** Returns a function that writes the mail with a number. The same seed and number give the same mail. */
export function zipfMails(seed: number): (number: number) => ZipfMail {
  const words = Array.from({ length: vocabularySize }, (_, rank) => makeWord(rank));
  return (number) => {
    const random = seededRandom((seed ^ Math.imul(number + 1, 0x9e3779b1)) >>> 0);
    const draw = () => words[Math.floor(vocabularySize ** random()) - 1] ?? '';
    const name = makeName(Math.floor(random() * firstNames * lastNames));
    const length = 100 + Math.floor(random() * 200);
    const quoted = random() < 0.3 ? Math.floor(length / 3) : 0;
    const newText = [
      `Hello ${makeName(number % 7_919).split(' ')[0]},`,
      sentences(draw, random, length - quoted - 30),
      random() < 0.4
        ? `We ${setPhrases[Math.floor(random() * setPhrases.length)]} today.`
        : 'Please let me know.',
      `Reference ${orderNumber(number)}, https://shop.sender.example/orders/${number.toString(36)}?source=mail`,
      closing(number, random()),
      name,
    ].join('\n\n');
    const history = `On Monday ${makeName(number % 1_009)} wrote:\n> ${sentences(draw, random, quoted).replaceAll('\n', '\n> ')}`;
    const [first = '', last = ''] = name.toLowerCase().split(' ');
    return {
      subject: subject(number, random(), draw),
      newText,
      text: quoted > 0 ? `${newText}\n\n${history}` : newText,
      fromName: name,
      fromAddress: `${ascii(first)}.${ascii(last)}@host${number % 997}.example`,
    };
  };
}

function subject(number: number, chance: number, draw: () => string): string {
  if (chance < 0.2) return `Your order ${orderNumber(number)} has been shipped`;
  const words = `${draw()} ${draw()} ${draw()} ${draw()}`;
  return chance < 0.5 ? `Re: ${words}` : capital(words);
}

function closing(number: number, chance: number): string {
  const [english, german] = [`Best ${closings.english}`, `Mit freundlichen ${capital(closings.german)}`];
  if (number % bothEndings === 0) return `${english}, ${german}`;
  return chance < 0.7 ? english : chance < 0.9 ? german : 'Many thanks';
}

function sentences(draw: () => string, random: () => number, count: number): string {
  let text = '';
  let isFirst = true;
  for (let written = 0; written < count; written++) {
    const word = draw();
    text += isFirst ? capital(word) : word;
    const mark = random();
    isFirst = mark < 0.08;
    text += isFirst ? (mark < 0.02 ? '.\n' : '. ') : ' ';
  }
  return text.trimEnd();
}

function ascii(word: string): string {
  return word.normalize('NFKD').replaceAll(/[^a-z]/g, '');
}
