/*
 * Finds what a mail says to some readers and not to others. `renderHtmlMail` drops what only Outlook or old programs show, and style sheets
 * show one text on a screen and another one on paper. A text is only reported if its words are not shown to the other readers as well, in
 * the same order: buttons and columns of usual templates are there twice.
 */
import type { HiddenPart } from '@postrider/contract/console';
import { readSight } from '../html/read-sight.ts';
import { wordsOf } from '../html/words-of.ts';
import { type Part, PartReader } from './read-parts.ts';

const textCharactersMax = 80;
const partsMax = 4;
/** Each comparison reads the whole text, so more parts than this are reported without one. */
const partsComparedMax = 200;

/** Returns what only some readers of a mail see: the first four texts. */
export function findHiddenParts(html: string): HiddenPart[] {
  const { effects, findSight, css } = readSight(html);
  const reader = new PartReader(findSight);
  reader.read(html, effects);
  const addresses = `${reader.addresses} ${css}`;
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
