/*
 * Reads HTML element by element, in linear time for any input. The parser of the same library keeps its open elements in a list whose front
 * grows, and looks through it for each closing tag, so that 100,000 open cells take it minutes.
 */
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** The attributes of an element, by name. */
export type Attributes = Record<string, string>;

/** Called with the parts, in their order. Each opened element is closed. */
interface ElementHandler {
  open(element: string, attributes: Attributes): void;
  close(element: string): void;
  text(text: string): void;
  comment?(text: string): void;
}

const empty = new Set(
  'area base basefont br col embed frame hr img input keygen link meta param source track wbr'.split(' '),
);
const closedBy = new Map<string, ReadonlySet<string>>([
  ['tr', new Set(['tr', 'th', 'td'])],
  ['th', new Set(['th', 'td'])],
  ['td', new Set(['th', 'td'])],
  ['a', new Set(['a'])],
  ['li', new Set(['li'])],
  ['dd', new Set(['dd', 'dt'])],
  ['dt', new Set(['dd', 'dt'])],
  ['option', new Set(['option'])],
  ...['tbody', 'tfoot', 'thead'].map(
    (name) => [name, new Set(['tbody', 'tfoot', 'thead', 'tr', 'th', 'td'])] as const,
  ),
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(
    (name) => [name, new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p'])] as const,
  ),
  ...'p address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol pre section table ul'
    .split(' ')
    .map((name) => [name, new Set(['p'])] as const),
]);

/** Elements that end their like in spite of others that were left open in it, up to the next of `stops`. */
const scopes = new Set('tr th td tbody tfoot thead li dd dt'.split(' '));
const stops = new Set(['table', 'ul', 'ol', 'dl']);
const lookBackMax = 30;

/** Reads HTML and calls the handler. */
export function readElements(html: string, handler: ElementHandler): void {
  new ElementReader(html, handler).read();
}

class ElementReader implements TokenizerCallbacks {
  readonly #html: string;
  readonly #handler: ElementHandler;
  readonly #open: string[] = [];
  /** How often each element is open, so that a closing tag without one costs nothing. */
  readonly #counts = new Map<string, number>();
  #element = '';
  #attributes: Attributes = {};
  #name = '';
  #value = '';

  constructor(html: string, handler: ElementHandler) {
    this.#html = html;
    this.#handler = handler;
  }

  read(): void {
    const tokenizer = new Tokenizer({ decodeEntities: true }, this);
    tokenizer.write(this.#html);
    tokenizer.end();
  }

  ontext(start: number, end: number): void {
    this.#handler.text(this.#html.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.#handler.text(String.fromCodePoint(codePoint));
  }

  onopentagname(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    this.#element = name === 'image' ? 'img' : name;
    this.#attributes = {};
  }

  onattribname(start: number, end: number): void {
    this.#name = this.#html.slice(start, end).toLowerCase();
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.#value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    // The first of two attributes with the same name counts.
    if (!Object.hasOwn(this.#attributes, this.#name)) this.#attributes[this.#name] = this.#value;
  }

  onopentagend(): void {
    const element = this.#element;
    const closes = closedBy.get(element);
    if (closes) this.#closeImplied(closes, !scopes.has(element));
    this.#handler.open(element, this.#attributes);
    if (empty.has(element)) {
      this.#handler.close(element);
      return;
    }
    this.#open.push(element);
    this.#counts.set(element, (this.#counts.get(element) ?? 0) + 1);
  }

  /** Closes the elements that a new element ends: a cell ends the one before it, even if elements in that one were left open. */
  #closeImplied(closes: ReadonlySet<string>, onlyTop: boolean): void {
    for (let at = this.#open.length - 1; at >= 0 && at > this.#open.length - 1 - lookBackMax; at -= 1) {
      const name = this.#open[at] ?? '';
      if (closes.has(name)) {
        while (this.#open.length > at) this.#pop();
        at = this.#open.length;
      } else if (onlyTop || stops.has(name)) return;
    }
  }

  onselfclosingtag(): void {
    this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    const element = this.#html.slice(start, end).toLowerCase();
    if (element === 'br') {
      this.#handler.open(element, {});
      this.#handler.close(element);
      return;
    }
    if ((this.#counts.get(element) ?? 0) === 0) return;
    while (this.#open.at(-1) !== element) this.#pop();
    this.#pop();
  }

  oncomment(start: number, end: number, offset: number): void {
    this.#handler.comment?.(this.#html.slice(start, end - offset));
  }

  onend(): void {
    while (this.#open.length > 0) this.#pop();
  }

  oncdata(start: number, end: number, offset: number): void {
    this.#handler.comment?.(`[CDATA[${this.#html.slice(start, end - offset)}]]`);
  }

  ondeclaration(): void {}

  onprocessinginstruction(): void {}

  #pop(): void {
    const element = this.#open.pop();
    if (element === undefined) return;
    this.#counts.set(element, (this.#counts.get(element) ?? 1) - 1);
    this.#handler.close(element);
  }
}

/** Elements that the page of a mail drops with their content. */
export const dropped: ReadonlySet<string> = new Set(
  (
    'script style title textarea option select xmp noscript noembed noframes template iframe svg math plaintext listing audio video canvas ' +
    'portal fencedframe frameset'
  ).split(' '),
);

/** Elements whose content nobody sees as text. In conditional comments, `xml` has settings. */
export const withoutText: ReadonlySet<string> = new Set(
  'script style title desc metadata head xml'.split(' '),
);

/** Returns the words of a text in their order, with a space around each, so that those of another text are found in them as a whole. */
export function foldWords(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  return words === null ? ' ' : ` ${words.join(' ')} `;
}
