/*
 * Finds what a mail says to some readers and not to others. `renderHtmlMail` drops what only Outlook or old programs show, and style sheets
 * show one text on a screen and another one on paper. A text is only reported if its words are not shown to the other readers as well, in
 * the same order: buttons and columns of usual templates are there twice.
 */
import type { HiddenPart } from '@postrider/contract/console';
import { Parser } from 'htmlparser2';
import { cleanStyles } from './clean-styles.ts';
import { readHead } from './read-head.ts';
import { type Part, PartReader } from './read-parts.ts';
import { readStyleEffects, type StyleEffects } from './read-style-effects.ts';
import { type StyledElement, visibilityIn } from './visibility.ts';

const textCharactersMax = 80;
const partsMax = 4;
/** Each comparison reads the whole text, so more parts than this are reported without one. */
const partsComparedMax = 200;

/** Returns what only some readers of a mail see: the first four texts. `dropped` are the elements that its page drops with their content. */
export function findHiddenParts(html: string, dropped: ReadonlySet<string>): HiddenPart[] {
  const sheets = readHead(html).styles.map(({ css, media }) => ({
    css: cleanStyles(css, () => null),
    media,
  }));
  const effects = readStyleEffects(sheets);
  const reader = new PartReader(dropped, visibilityIn(effects, elementsFor(effects, html)));
  reader.read(html, effects);
  const addresses = `${reader.addresses} ${readHead(html)
    .styles.map(({ css }) => css)
    .join(' ')}`;
  const here = wordsOf(reader.shown.join(''));
  const there = wordsOf(reader.elsewhere.join(''));
  const found = new Map<string, HiddenPart>();
  for (const [place, part] of reader.parts.entries()) {
    const isSaid = place < partsComparedMax && (part.isShown ? there : here).includes(wordsOf(part.text));
    const rest = isSaid ? part.addresses.filter((one) => !addresses.includes(one)).join(' ') : part.text;
    const text = rest.replaceAll(/\s+/g, ' ').trim();
    if (text !== '') found.set(`${part.readers} ${text}`, viewPart(part, text));
    if (found.size === partsMax) break;
  }
  return [...found.values()];
}

function viewPart({ readers }: Part, text: string): HiddenPart {
  return { readers, text: [...text.slice(0, 2 * textCharactersMax)].slice(0, textCharactersMax).join('') };
}

/** Returns the words in their order, with a space around each, so that those of another text are found in them as a whole. */
function wordsOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  return words === null ? ' ' : ` ${words.join(' ')} `;
}

/** Returns the elements of a mail, if styles depend on them. */
function elementsFor(effects: StyleEffects, html: string): StyledElement[] {
  const found: StyledElement[] = [];
  const parser = new Parser({ onopentag: (element, attributes) => void found.push({ element, attributes }) });
  if (effects.rules.length > 0) parser.end(html);
  return found;
}
