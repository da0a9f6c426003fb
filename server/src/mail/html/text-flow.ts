/** Lines of text as they grow, with white space as a browser shows it. */
export class TextFlow {
  readonly #lines: string[] = [];
  #line = '';
  #isSpacePending = false;
  #isBlankPending = false;
  #beginsParagraph = false;
  #endsParagraph = false;

  /** Whether anything stands on the line that grows. */
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

  /** Makes sure that white space parts what follows from what stands before it. */
  space(): void {
    if (this.#line !== '') this.#isSpacePending = true;
  }

  /** Ends the line, if anything stands on it. */
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

  /** Ends the line, and leaves a blank one before what follows. */
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
