/** Typed words with at least this number of letters may have one mistake, and with twice as many two. */
const lettersPerMistake = 4;
/** The marks of the ways in which a text can fit, the best first. What is left out or wrong takes from them. */
const marks = { within: 300, inOrder: 200, mistyped: 100 };

/**
 * Returns how well typed text fits a name; 0 for not at all. Best is a name that has the text in it, then one that has its letters in this
 * order, such as "apk" for "API keys", then one with words that are mistyped in it.
 */
export function rankName(name: string, typed: string): number {
  const [text, asked] = [name.toLowerCase(), typed.trim().toLowerCase()];
  if (asked === '') return 1;
  const place = text.indexOf(asked);
  if (place >= 0) return marks.within - place - (isWordStart(text, place) ? 0 : 50);
  const gaps = countGaps(text, asked);
  if (gaps !== null) return marks.inOrder - Math.min(gaps, 90);
  const mistakes = countMistakes(text, asked);
  return mistakes === null ? 0 : marks.mistyped - mistakes;
}

/** Returns the items that fit, the best first. Those that fit equally well stay in their order. */
export function rankItems<Item>(
  items: readonly Item[],
  typed: string,
  getName: (item: Item) => string,
): Item[] {
  return items
    .map((item) => ({ item, rank: rankName(getName(item), typed) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .map(({ item }) => item);
}

function isWordStart(text: string, place: number): boolean {
  return place === 0 || /[\s/]/.test(text.charAt(place - 1));
}

/** Returns how many letters lie between the typed ones, which all begin a word or follow each other; null if they are not there so. */
function countGaps(text: string, asked: string): number | null {
  let [place, gaps] = [-1, 0];
  for (const letter of asked.replaceAll(' ', '')) {
    const follows = text.charAt(place + 1) === letter;
    const next = follows ? place + 1 : findWordStart(text, letter, place + 1);
    if (next < 0) return null;
    gaps += next - place - 1;
    place = next;
  }
  return gaps;
}

function findWordStart(text: string, letter: string, from: number): number {
  for (let place = from; place < text.length; place += 1)
    if (text.charAt(place) === letter && isWordStart(text, place)) return place;
  return -1;
}

/** Returns how many letters are wrong if each typed word is the beginning of a word of the name; null for too many. */
function countMistakes(text: string, asked: string): number | null {
  let sum = 0;
  for (const word of asked.split(/\s+/)) {
    const most = Math.min(2, Math.floor(word.length / lettersPerMistake));
    const fewest = Math.min(...text.split(/\s+/).map((other) => Math.min(...countChanges(word, other))));
    if (fewest > most) return null;
    sum += fewest;
  }
  return sum;
}

/**
 * Returns how many letters are added, left out, changed or swapped between a typed text and each beginning of another, the shortest one
 * first. The last one is the whole of it.
 */
export function countChanges(typed: string, word: string): number[] {
  let before: number[] = [];
  let row = Array.from({ length: word.length + 1 }, (_, column) => column);
  for (let i = 1; i <= typed.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= word.length; j += 1) {
      const isSame = typed[i - 1] === word[j - 1];
      const isSwapped = i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1];
      next.push(
        Math.min(
          (row[j - 1] ?? 0) + (isSame ? 0 : 1),
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row;
}
