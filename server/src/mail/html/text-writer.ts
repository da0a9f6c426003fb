import type { Attributes } from './read-elements.ts';
import { linesOfRow, type Row, TextFlow } from './text-flow.ts';

/** The marks of an element's text; null for an element that is written unchanged. See `reply-html.ts`. */
export type ElementMark =
  | { kind: 'replace'; mark: string; unless?: (lines: readonly string[]) => boolean }
  | { kind: 'frame'; before: string; after: string }
  | { kind: 'drop' };

/** Whether images say what they show: only in links that have no other text, or everywhere. */
export type AltTexts = 'of_links' | 'all';

interface Context {
  flow: TextFlow;
  row: Row | null;
  /** The row of a table that has cells without a row. */
  loose: Row | null;
  hasHeadings: boolean;
  list: { isOrdered: boolean; next: number } | null;
}

/** The work that is left for the end of an element. */
type End = () => void;

const paragraphs = new Set('p h1 h2 h3 h4 h5 h6 ul ol dl pre blockquote'.split(' '));
const blocks = new Set(
  (
    'address article aside caption center dd details dir div dt fieldset figcaption figure footer form header hgroup legend main menu nav ' +
    'optgroup option section summary table tbody tfoot thead tr body html search'
  ).split(' '),
);
/** Deeper tables, quotations and lists are written as plain blocks, since each of them moves its lines once more. */
const depthMax = 24;
const linkLengthMax = 4_096;
const ruleLength = 40;

/** Writes the elements that a person sees as text. Every element that is opened has to be closed. */
export class TextWriter {
  readonly #alts: AltTexts;
  #context: Context = { flow: new TextFlow(), row: null, loose: null, hasHeadings: false, list: null };
  #depth = 0;
  /** The link that is open, and its text so far. */
  #link: { text: string } | null = null;
  #afterLink = false;
  #afterSuper = false;

  constructor(alts: AltTexts) {
    this.#alts = alts;
  }

  /** Returns the text so far. */
  finish(): string {
    this.#flushLoose();
    return this.#context.flow.finish().join('\n');
  }

  write(text: string, keepsSpace: boolean): void {
    const { flow } = this.#context;
    if (this.#link && this.#link.text.length < linkLengthMax) this.#link.text += text;
    if ((this.#afterLink || this.#afterSuper) && /^[\p{L}\p{N}]/u.test(text)) {
      if (this.#afterLink || /\d$/.test(flow.last)) flow.space();
    }
    this.#afterLink = false;
    this.#afterSuper = false;
    if (keepsSpace && /[\r\n]/.test(text)) flow.addKept(text);
    else flow.add(text);
  }

  /** Opens an element, and returns what ends it. */
  open(element: string, attributes: Attributes, display: string | null, mark: ElementMark | null): End {
    if (mark !== null) return this.#openMarked(mark);
    if (element === 'td' || element === 'th') return this.#openCell(element);
    if (element === 'tr') return this.#openRow();
    if (element === 'table') return this.#openTable();
    if (element === 'li') return this.#openItem();
    if (element === 'ul' || element === 'ol') return this.#openList(element, attributes);
    if (element === 'blockquote') return this.#openQuotation();
    if (element === 'a') return this.#openLink(attributes);
    return this.#openPlain(element, attributes, display);
  }

  #openPlain(element: string, attributes: Attributes, display: string | null): End {
    const { flow } = this.#context;
    if (element === 'br') flow.lineBreak();
    else if (element === 'hr') this.#block(() => flow.addLine('-'.repeat(ruleLength)));
    else if (element === 'img') this.#writeImage(attributes);
    else if (element === 'input') this.#writeButton(attributes);
    else if (paragraphs.has(element)) return this.#paragraph();
    else if (blocks.has(element) || isBlock(display)) {
      flow.endLine();
      return () => this.#context.flow.endLine();
    } else if (element === 'button' || element === 'label' || isBeside(display)) {
      flow.space();
      return () => this.#context.flow.space();
    } else if (element === 'sup' || element === 'sub') {
      // 19<sup>90</sup> is a price, and 19.90<sup>1</sup> has a note.
      this.#afterSuper = true;
      return () => {
        this.#afterSuper = true;
      };
    }
    return nothing;
  }

  #paragraph(): End {
    this.#context.flow.endParagraph();
    return () => this.#context.flow.endParagraph();
  }

  #block(write: End): void {
    this.#context.flow.endParagraph();
    write();
    this.#context.flow.endParagraph();
  }

  /** Begins separate lines, and returns the function that ends them with their lines. */
  #nest(end: (inner: TextFlow, outer: Context) => void, most = depthMax): End {
    if (this.#depth >= most) {
      this.#context.flow.endLine();
      return () => this.#context.flow.endLine();
    }
    const outer = this.#context;
    this.#depth += 1;
    this.#context = { flow: new TextFlow(), row: null, loose: null, hasHeadings: false, list: outer.list };
    return () => {
      const { flow } = this.#context;
      this.#context = outer;
      this.#depth -= 1;
      end(flow, outer);
    };
  }

  #openCell(element: string): End {
    const { row, loose, hasHeadings } = this.#context;
    const into = row ?? loose ?? newRow(hasHeadings);
    if (row === null) this.#context.loose = into;
    if (element === 'th') into.hasHeading = true;
    return this.#nest((inner) => void into.cells.push(inner.finishCell()));
  }

  #openRow(): End {
    const outer = this.#context;
    this.#flushLoose();
    outer.flow.endLine();
    const row = newRow(outer.hasHeadings);
    outer.row = row;
    return () => {
      outer.row = null;
      this.#endRow(row);
    };
  }

  #endRow(row: Row): void {
    const { flow } = this.#context;
    flow.addLines(linesOfRow(row));
    // A row of headings says which column a cell belongs to.
    const isHeading = row.hasHeading && row.cells.filter((lines) => lines.length > 0).length > 1;
    if (isHeading && row.cells.every((lines) => lines.filter((line) => line !== '').length <= 1))
      this.#context.hasHeadings = true;
  }

  #flushLoose(): void {
    const { loose } = this.#context;
    this.#context.loose = null;
    if (loose) this.#endRow(loose);
  }

  #openTable(): End {
    const { row, loose, hasHeadings, flow } = this.#context;
    flow.endLine();
    this.#context.row = null;
    this.#context.loose = null;
    this.#context.hasHeadings = false;
    const context = this.#context;
    return () => {
      this.#flushLoose();
      context.flow.endLine();
      Object.assign(context, { row, loose, hasHeadings });
    };
  }

  #openList(element: string, { start = '1' }: Attributes): End {
    const { list, flow } = this.#context;
    if (list === null) flow.endParagraph();
    else flow.endLine();
    const first = Number.parseInt(start, 10);
    this.#context.list = { isOrdered: element === 'ol', next: Number.isNaN(first) ? 1 : first };
    return () => {
      this.#context.list = list;
      if (list === null) this.#context.flow.endParagraph();
      else this.#context.flow.endLine();
    };
  }

  #openItem(): End {
    const { list } = this.#context;
    const sign = list?.isOrdered === true ? ` ${list.next}. ` : ' * ';
    if (list) list.next += 1;
    return this.#nest((inner, { flow }) => {
      const filled = inner.finish().filter((line) => line !== '');
      flow.addLines(filled.map((line, at) => (at === 0 ? sign : ' '.repeat(sign.length)) + line));
    });
  }

  #openQuotation(): End {
    return this.#nest((inner, { flow }) => {
      flow.endParagraph();
      // A blank line belongs to the quotation.
      flow.addLines(inner.finish().map((line) => (line === '' ? '>' : `> ${line}`)));
      flow.endParagraph();
    }, depthMax / 2);
  }

  #openLink({ href = '' }: Attributes): End {
    const outer = this.#link;
    const link = { text: '' };
    this.#link = link;
    return () => {
      this.#link = outer;
      const text = link.text.replace(/\s+/g, ' ').trim();
      const target = href.trim().replace(/^mailto:/i, '');
      if (target !== '' && !target.startsWith('#') && target !== text) {
        const { flow } = this.#context;
        if (text !== '') flow.space();
        flow.add(`[${target}]`);
        this.#afterLink = true;
      }
      if (outer) outer.text += text;
    };
  }

  #openMarked(mark: ElementMark): End {
    if (mark.kind === 'drop') {
      this.#context.flow.endLine();
      return this.#apart((_, flow) => flow.endLine());
    }
    return this.#apart((lines, flow) => {
      const isWhole = mark.kind === 'replace' && mark.unless?.(lines) === true;
      if (isWhole) flow.endParagraph();
      else flow.endLine();
      if (mark.kind === 'frame') flow.addLine(mark.before);
      if (mark.kind === 'replace' && !isWhole) flow.addLine(mark.mark);
      else flow.addLines(lines);
      if (mark.kind === 'frame') flow.addLine(mark.after);
    });
  }

  /** Begins a separate line at any depth, because a mark must be visible whatever it is in. */
  #apart(end: (lines: string[], flow: TextFlow) => void): End {
    const outer = this.#context;
    this.#context = { ...outer, flow: new TextFlow(), row: null, loose: null };
    return () => {
      const lines = this.#context.flow.finish();
      this.#context = outer;
      end(lines, outer.flow);
    };
  }

  #writeImage({ alt = '' }: Attributes): void {
    const isAlone = this.#link !== null && this.#link.text.trim() === '';
    const text = alt.replace(/\s+/g, ' ').trim();
    if (text === '' || (this.#alts === 'of_links' && !isAlone)) return;
    this.#context.flow.space();
    this.write(text, false);
    this.#context.flow.space();
  }

  #writeButton({ type = '', value = '' }: Attributes): void {
    if (!/^(?:submit|button|reset)$/i.test(type)) return;
    this.#context.flow.space();
    this.write(value, false);
    this.#context.flow.space();
  }
}

function newRow(keepsEmpty: boolean): Row {
  return { cells: [], keepsEmpty, hasHeading: false };
}

function isBlock(display: string | null): boolean {
  return display !== null && /^(?:block|table|flex|grid|list-item|table-row|flow-root)\b/.test(display);
}

function isBeside(display: string | null): boolean {
  return display !== null && /^(?:inline-|table-cell)/.test(display);
}

function nothing(): void {}
