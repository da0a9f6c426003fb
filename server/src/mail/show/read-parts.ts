/*
 * Finds the parts of a mail that only some readers see. `renderHtmlMail` drops the parts that only Outlook or old programs show, and style
 * sheets show one text on a screen and another one on paper. A text is reported only if its words are not also shown to the other readers,
 * in the same order: usual templates contain buttons and columns twice.
 */
import type { HiddenPart } from '@postrider/contract/console';
import { type Handler, Parser, type ParserOptions } from 'htmlparser2';
import { type Attributes, dropped, foldWords, withoutText } from '../html/read-elements.ts';
import { readSight } from '../html/read-head.ts';
import type { StyleEffects } from '../html/read-style-effects.ts';
import { type FindSight, openSight, type Sight, type Visibility } from '../html/visibility.ts';

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
  const here = foldWords(reader.shown.join(''));
  const there = foldWords(reader.elsewhere.join(''));
  const found = new Map<string, HiddenPart>();
  for (const [place, part] of reader.parts.entries()) {
    const isSaid = place < partsComparedMax && (part.isShown ? there : here).includes(foldWords(part.text));
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

/** A text that not all readers of a mail see. */
export interface Part extends HiddenPart {
  /** Whether the page of the mail shows it. */
  isShown: boolean;
  /** The base of its links and images, if the page has neither. */
  addresses: string[];
}

/** An open element, with what is known about its text. */
interface Open {
  element: string;
  attributes: Attributes;
  sight: Sight;
  part: Part | null;
  isNoText: boolean;
}

const inline = new Set(
  'a abbr b bdi bdo big cite code em font i ins kbd mark s small span strong sub sup tt u wbr'.split(' '),
);
const pictures = new Set(['svg', 'math']);
/** The parser reads their content as text to their end. */
const raw = new Set(['style', 'script', 'title']);
const unlabelled = /^(?:hidden|checkbox|radio|image)$/i;

/** Reads a mail into the text that its page shows, the text that others see, and the parts that not all of them see. */
class PartReader {
  readonly shown: string[] = [];
  readonly elsewhere: string[] = [];
  readonly parts: Part[] = [];
  /** All addresses that the page of the mail has. */
  addresses = '';
  readonly #findSight: FindSight;
  #open: Open[] = [];
  /** The part that all programs but Outlook show, from one conditional comment to the next. */
  #region: Part | null = null;

  constructor(findSight: FindSight) {
    this.#findSight = findSight;
  }

  read(html: string, effects: StyleEffects): void {
    for (const text of effects.added) this.#begin('some_screens', { text });
    this.#walk(html);
    if (effects.cut) this.#begin('some_screens', { text: 'style sheets' });
  }

  #walk(html: string, options: ParserOptions = {}): void {
    const outer = this.#open.length;
    const handler: Partial<Handler> = {
      onopentag: (element, attributes) => this.#enter(element, attributes),
      ontext: (text) => this.#readText(text),
      onclosetag: (element) => {
        if (this.#open.length > outer) this.#open.pop();
        if (!inline.has(element)) this.#write(' ');
      },
      oncomment: (comment) => this.#readCondition(comment),
      onprocessinginstruction: (_, data) => this.#readCondition(data.replace(/^!/, '')),
    };
    new Parser(handler, options).end(html);
  }

  #begin(readers: HiddenPart['readers'], { isShown = false, text = '' } = {}): Part {
    const part: Part = { readers, text, isShown, addresses: [] };
    this.parts.push(part);
    return part;
  }

  #enter(element: string, attributes: Attributes): void {
    if (!inline.has(element)) this.#write(' ');
    const outside = this.#open.at(-1);
    const sight = this.#findSight(element, attributes, this.#open, outside?.sight ?? openSight);
    const part = outside?.part ?? this.#partOf(element, sight.visibility);
    const isNoText = outside?.isNoText === true || withoutText.has(element);
    this.#open.push({ element, attributes, sight, part, isNoText });
    this.#noteAddresses(attributes, part);
    const label = element === 'input' && !unlabelled.test(attributes.type ?? '') ? readLabel(attributes) : '';
    if (label !== '') this.#begin('some_programs', { text: label });
    if (attributes.srcdoc !== undefined) this.#readAs(attributes.srcdoc, 'some_programs');
  }

  #partOf(element: string, visibility: Visibility): Part | null {
    if (dropped.has(element) && !withoutText.has(element)) return this.#begin('some_programs');
    if (visibility === 'revealed') return this.#begin('some_screens');
    if (visibility === 'concealed') return this.#begin('some_screens', { isShown: true });
    return visibility === 'not_outlook' ? this.#begin('not_outlook', { isShown: true }) : null;
  }

  #write(text: string): void {
    const { sight = openSight, part = null, isNoText = false } = this.#open.at(-1) ?? {};
    if (isNoText || (sight.visibility === 'never' && part === null)) return;
    const owner = part ?? this.#region;
    if (owner) owner.text += text;
    if (owner === null || owner.isShown) this.shown.push(text);
    if (owner === null || !owner.isShown) this.elsewhere.push(text);
  }

  #noteAddresses({ href, src, background, style }: Attributes, part: Part | null): void {
    const own = [href, src, background]
      .flatMap((one) => one?.trim() ?? [])
      .filter((one) => URL.canParse(one));
    const isOutside = part !== null && !part.isShown && part.readers !== 'some_screens';
    if (isOutside) part.addresses.push(...own);
    else this.addresses += ` ${own.join(' ')} ${style ?? ''}`;
  }

  /** Reads a comment such as `[if mso]>…<![endif]`, which Outlook reads as HTML, or one that begins or ends what Outlook does not show. */
  #readCondition(comment: string): void {
    const [, data] = /^\[CDATA\[>?([\s\S]*?)(?:\]\])?$/.exec(comment) ?? [];
    // In HTML, it ends at the first `>`, and what follows is text.
    if (data !== undefined) this.#readAs(data, 'some_programs');
    const [, condition, content = ''] = /^\s*\[if([^\]]*)\](?:>([\s\S]*))?$/i.exec(comment) ?? [];
    if (condition === undefined) {
      if (/\[endif\]\s*$/i.test(comment)) this.#region = null;
    } else if (/^\s*(?:<!|--)?\s*$/.test(content)) {
      const isForOthers = condition.includes('!') || !/mso/i.test(condition);
      this.#region = isForOthers ? this.#begin('not_outlook', { isShown: true }) : null;
    } else this.#readAs(content.replace(/<!\[endif\]\s*$/i, ''), 'outlook');
  }

  /** Browsers end a style sheet in a picture at the first tag of HTML, and what follows is text to them. */
  #readText(text: string): void {
    const [outside, top] = this.#open.slice(-2);
    const isInPicture = top !== undefined && outside !== undefined && pictures.has(outside.element);
    if (isInPicture && raw.has(top.element) && /<[a-z]/i.test(text)) this.#readAs(text, 'some_programs');
    else this.#write(text);
  }

  /** Reads HTML that the page does not show. */
  #readAs(html: string, readers: HiddenPart['readers']): void {
    const around = this.#open;
    const part = around.at(-1)?.part ?? this.#begin(readers);
    this.#open = [...around, { element: '', attributes: {}, sight: openSight, part, isNoText: false }];
    // Outlook reads its part as XML.
    this.#walk(html, { recognizeSelfClosing: readers === 'outlook' });
    this.#open = around;
  }
}

function readLabel({ value = '', placeholder = '' }: Attributes): string {
  return `${value} ${placeholder}`.trim();
}
