/*
 * Puts an empty line below the header of each part that has none, so that its text is not taken for a part of the header. Other readers
 * take the first line that is no field for the beginning of the text, too.
 */
const lineFeed = 0x0a;
const fieldPattern = /^[!-9;-~]{1,80}[ \t]*:/;
/** Some programs fold a field without white space. No text begins with so long a word. */
const continuationPattern = /^(?:[ \t]|\S{60})/;
const boundaryPattern = /boundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s";]{1,200}))/gi;
const delimiterLengthMax = 210;
const headBytesMax = 16_384;
/** mailparser reads no more. */
const partsMax = 1_000;

/** Returns the body of a mail with its parts separated from their headers. `head` is the header of the mail, with its boundary. */
export function separateHeaders(body: Buffer, head: string): Buffer {
  const boundaries = new Set<string>();
  addBoundaries(boundaries, head);
  const pieces: Buffer[] = [];
  let written = 0;
  let parts = 0;
  for (let at = nextDelimiter(body, 0); at >= 0 && boundaries.size > 0; at = nextDelimiter(body, at + 2)) {
    const [line = ''] = body.toString('latin1', at + 2, at + delimiterLengthMax).split(/\r?\n/, 1);
    if (!boundaries.has(line.trimEnd())) continue;
    parts += 1;
    if (parts > partsMax) break;
    const { end, isOpen } = readHead(body, afterLine(body, at), boundaries);
    if (!isOpen) continue;
    pieces.push(body.subarray(written, end), Buffer.from('\r\n'));
    written = end;
  }
  return pieces.length === 0 ? body : Buffer.concat([...pieces, body.subarray(written)]);
}

/** Returns where the header of a part ends, and whether a line of text follows at once. */
function readHead(body: Buffer, start: number, boundaries: Set<string>): { end: number; isOpen: boolean } {
  for (let at = start; at < Math.min(body.length, start + headBytesMax); ) {
    const next = afterLine(body, at);
    const line = body.toString('latin1', at, Math.min(next, at + 300));
    const isContinuation = at > start && continuationPattern.test(line);
    const isEnd = line.trim() === '' || line.startsWith('--');
    if (isEnd || (!isContinuation && !fieldPattern.test(line))) {
      addBoundaries(boundaries, body.toString('latin1', start, at));
      return { end: at, isOpen: !isEnd };
    }
    at = next;
  }
  return { end: start, isOpen: false };
}

function addBoundaries(boundaries: Set<string>, head: string): void {
  if (!/multipart/i.test(head)) return;
  for (const [, quoted, bare] of head.matchAll(boundaryPattern))
    boundaries.add((quoted ?? bare ?? '').trimEnd());
}

function nextDelimiter(body: Buffer, from: number): number {
  if (from === 0 && body.toString('latin1', 0, 2) === '--') return 0;
  const found = body.indexOf('\n--', Math.max(0, from - 1));
  return found < 0 ? -1 : found + 1;
}

function afterLine(body: Buffer, at: number): number {
  const found = body.indexOf(lineFeed, at);
  return found < 0 ? body.length : found + 1;
}
