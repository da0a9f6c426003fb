import { makeWord, orderNumber, vocabularySize } from '../load/zipf-mail.ts';
import { closings, setPhrases } from '../load/zipf-words.ts';
import { places, someNumbers } from './search-numbers.ts';

/** Queries of one kind. */
export interface SearchClass {
  what: string;
  /** Whether it is one of the six classes that the goals name. The others are harder, or the search of most peers has no such thing. */
  isOfGoal: boolean;
  /** Whether every query of the class has a result, which is known of the large workspace as a whole only. */
  isFound: boolean;
  /** Returns the query of a turn, each time with other words. */
  query(turn: number): string;
  /** Returns the same for `to_tsquery` of Postgres; null if it has no such search. */
  naive(turn: number): string | null;
}

const ofGoal = new Set(['very common', 'middle', 'rare', 'two words', 'phrase', 'no match']);
const veryCommon = ['regards', 'please', 'reference', 'update', 'hello', 'know'];

/** Returns the classes for the mails of a workspace, or for those in one of its inboxes. */
export function searchClasses(place: number, mails: number, inbox?: number): SearchClass[] {
  const orders = someNumbers(place, mails, 200, inbox).map(orderNumber);
  const common = (turn: number) => veryCommon[turn % veryCommon.length]!;
  const middle = (turn: number) => makeWord(500 + ((turn * 37) % 1_000));
  const rare = (turn: number) => makeWord(vocabularySize - 40_000 + ((turn * 7_919) % 40_000));
  const phrase = (turn: number) => setPhrases[turn % setPhrases.length]!;
  const unknown = (turn: number) => `zxq${turn % 1_000}vjx`;
  const classes: Omit<SearchClass, 'isOfGoal'>[] = [
    words('very common', (turn) => [common(turn)]),
    words('middle', (turn) => [middle(turn)]),
    { ...words('rare', (turn) => [rare(turn)]), isFound: false },
    words('two words', (turn) => [common(turn), middle(turn)]),
    {
      ...words('two common words that seldom meet', () => [closings.english, closings.german]),
      isFound: true,
    },
    {
      what: 'phrase',
      isFound: true,
      query: (turn) => `"${phrase(turn)}"`,
      naive: (turn) => phrase(turn).split(' ').join(' <-> '),
    },
    {
      what: 'beginning of a word',
      isFound: true,
      query: (turn) => middle(turn).slice(0, 3 + (turn % 3)),
      naive: (turn) => `${middle(turn).slice(0, 3 + (turn % 3))}:*`,
    },
    {
      what: 'order number',
      isFound: true,
      query: (turn) => orders[turn % orders.length]!,
      naive: (turn) => `'${orders[turn % orders.length]}'`,
    },
    { what: 'typo', isFound: false, query: (turn) => misspell(middle(turn), turn), naive: () => null },
    { ...words('no match', (turn) => [unknown(turn)]), isFound: false },
    { ...words('very common word and no match', (turn) => [common(turn), unknown(turn)]), isFound: false },
  ];
  return classes.map((each) => ({
    ...each,
    isOfGoal: ofGoal.has(each.what),
    isFound: each.isFound && place === places.large && inbox === undefined,
  }));
}

function words(what: string, of: (turn: number) => string[]): Omit<SearchClass, 'isOfGoal'> {
  return { what, isFound: true, query: (turn) => of(turn).join(' '), naive: (turn) => of(turn).join(' & ') };
}

/** Returns a word with two neighbours swapped, one letter left out, or one doubled. */
function misspell(word: string, turn: number): string {
  const at = 1 + (turn % Math.max(1, word.length - 2));
  const [before, letter, after] = [word.slice(0, at), word[at] ?? '', word.slice(at + 1)];
  if (turn % 3 === 0) return `${before}${after[0] ?? ''}${letter}${after.slice(1)}`;
  return turn % 3 === 1 ? `${before}${after}` : `${before}${letter}${letter}${after}`;
}
