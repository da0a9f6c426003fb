/** Lines of text as they grow, with white space as a browser shows it. */
export class TextFlow {
  readonly #lines: string[] = [];
  #line = '';
  #isSpacePending = false;
  #isBlankPending = false;
  #beginsParagraph = false;
  #endsParagraph = false;

  /** Whether the current line has any content. */
  get isAtStart(): boolean {
    return this.#line === '';
  }

  /** The last character that was written on this line. */
  get last(): string {
    return this.#isSpacePending ? ' ' : (this.#line.at(-1) ?? '');
  }

  /** Adds text, with its white space folded. */
  add(text: string): void {
    const folded = text.replace(/[ \t\r\n\f]+/g, ' ');
    if (folded === '') return;
    const body = folded.replace(/^ | $/g, '');
    if (body === '') {
      this.space();
      return;
    }
    if (folded.startsWith(' ')) this.space();
    this.#push(body);
    if (folded.endsWith(' ')) this.space();
  }

  /** Adds text whose line breaks and spaces are kept. */
  addKept(text: string): void {
    for (const [at, line] of text.split(/\r\n?|\n/).entries()) {
      if (at > 0) this.lineBreak();
      if (line !== '') this.#push(line);
    }
  }

  /** Ensures that white space separates the following content from the preceding content. */
  space(): void {
    if (this.#line !== '') this.#isSpacePending = true;
  }

  /** Ends the line if it has any content. */
  endLine(): void {
    this.#isSpacePending = false;
    if (this.#line === '') return;
    const line = this.#line.replace(/\u00a0/g, ' ').trimEnd();
    this.#line = '';
    if (line === '') this.#isBlankPending = true;
    else this.addLine(line);
  }

  /** Ends the line; a second time, it leaves a blank one. */
  lineBreak(): void {
    if (this.#line === '') this.#isBlankPending = true;
    else this.endLine();
  }

  /** Ends the line, and leaves a blank line before the following content. */
  endParagraph(): void {
    this.endLine();
    this.#isBlankPending = true;
    if (this.#lines.length === 0) this.#beginsParagraph = true;
    this.#endsParagraph = true;
  }

  /** Adds a whole line. */
  addLine(line: string): void {
    if (this.#isBlankPending && this.#lines.length > 0) this.#lines.push('');
    this.#isBlankPending = false;
    this.#endsParagraph = false;
    this.#lines.push(line);
  }

  /** Adds lines, of which an empty one is a blank one. */
  addLines(lines: readonly string[]): void {
    this.endLine();
    for (const line of lines)
      if (line === '') this.#isBlankPending = true;
      else this.addLine(line);
  }

  /** Ends the line and returns all lines, without blank ones at their ends. */
  finish(): string[] {
    this.endLine();
    return this.#lines;
  }

  /** Returns the lines as `finish` does, with a blank one where a paragraph begins or ends them. */
  finishCell(): string[] {
    this.endLine();
    if (this.#lines.length === 0) return [];
    const [before, after] = [this.#beginsParagraph, this.#endsParagraph];
    return before || after ? [...(before ? [''] : []), ...this.#lines, ...(after ? [''] : [])] : this.#lines;
  }

  #push(text: string): void {
    if (this.#isSpacePending) this.#line += ' ';
    this.#isSpacePending = false;
    this.#line += text;
  }
}

/*
 * Lays out a row of a table as text. Cells are next to each other on one line, with a tab between them, so that no two numbers touch and a
 * table that is only used for layout has no marks. Cells with several lines are below each other, like columns of text.
 */

/** A row whose cells are known so far. */
export interface Row {
  cells: string[][];
  /** Whether an empty cell keeps its place, as below the heading of its column. */
  keepsEmpty: boolean;
  hasHeading: boolean;
}

const cellSeparator = '\t';

/** A longer text next to several lines is a separate column. */
const besideLengthMax = 60;
const linesBesideMax = 3;
/** A taller cell is a part of the page, and is placed separately without further checks. */
const linesOfCellMax = 40;
/** Quotation marks, which have their own lines. */
const mark = /^[\ue000-\ue003]$/;

/** Returns the lines of a row. An empty line is a blank one. */
export function linesOfRow({ cells, keepsEmpty }: Row): string[] {
  const filled = cells.filter((lines) => lines.length > 0);
  if (filled.length === 0) return [];
  const [only = []] = filled;
  if (filled.length === 1 && !keepsEmpty) return only;
  if (filled.some((lines) => lines.length > linesOfCellMax)) return stacked(filled);
  if (filled.some((lines) => lines.some((line) => mark.test(line)))) return stacked(filled);
  const placed = keepsEmpty ? cells : filled;
  const texts = placed.map((lines) => lines.filter((line) => line !== '').map((line) => line.trim()));
  const heights = texts.map((lines) => lines.length);
  const high = heights.filter((height) => height > 1).length;
  if (high === 0) return [joined(texts.map(([line = '']) => line))];
  const short = texts.filter((lines) => lines.length === 1);
  const isBeside =
    short.length > 0 &&
    short.every(([line = '']) => line.length <= besideLengthMax) &&
    (high === 1 || Math.max(...heights) <= linesBesideMax);
  if (!isBeside) return stacked(filled);
  const first = joined(texts.map(([line = '']) => line));
  return [first, ...joinRest(texts)];
}

function stacked(cells: string[][]): string[] {
  return cells.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

/** Returns the lines below the first one, side by side. */
function joinRest(texts: string[][]): string[] {
  const height = Math.max(...texts.map((lines) => lines.length));
  return Array.from({ length: height - 1 }, (_, at) =>
    texts.flatMap((lines) => lines[at + 1] ?? []).join(cellSeparator),
  );
}

function joined(cells: string[]): string {
  return cells.join(cellSeparator).trimEnd();
}
