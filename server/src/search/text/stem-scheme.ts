import type { StemScheme } from './stem-of.ts';
import type { Token } from './tokens-of.ts';

const english = new Set(
  'the and of to for you your this that with our have from please it be has will not but they there which would can'.split(
    ' ',
  ),
);
const others = new Set(
  [
    'der das den und ist nicht mit ein eine fur ich sie wir auf von zu im bei auch',
    'le la les des est pour vous nous avec une et dans sur votre notre que qui pas du',
    'el los las por para con una que su del y se al muy esta',
    'il di che non per della sono nel gli',
    'een het van voor niet wij uw',
    'nao com uma os seu sua dos das ao',
  ].flatMap((words) => words.split(' ')),
);

const tokensMax = 500;
const hitsMin = 3;

/** Returns how the words of a text are to be stemmed. The small words of its beginning tell the language. */
export function stemSchemeOf(tokens: readonly Token[]): StemScheme {
  let englishHits = 0;
  let otherHits = 0;
  for (const { words } of tokens.slice(0, tokensMax)) {
    if (english.has(words[0]!)) englishHits += 1;
    if (others.has(words[0]!)) otherHits += 1;
  }
  if (englishHits >= hitsMin && englishHits >= 2 * otherHits) return 'english';
  return otherHits >= hitsMin && otherHits >= 2 * englishHits ? 'light' : 'both';
}
