/**
 * A long body is normalized in pieces of this many characters, and encoding a piece makes it flat. V8 would keep the result of a
 * replacement as a tree of its parts, about 32 bytes for each line.
 */
const pieceLength = 65_536;

/** Returns a body with CRLF line ends and without lone surrogates, which UTF-8 cannot represent. */
export function normalizeBody(body: string): string {
  if (body.length <= pieceLength) return withCrlf(body).toWellFormed();
  const pieces: Buffer[] = [];
  for (let from = 0; from < body.length; ) {
    const to = endOfPiece(body, from + pieceLength);
    pieces.push(Buffer.from(withCrlf(body.slice(from, to))));
    from = to;
  }
  return Buffer.concat(pieces).toString();
}

/** Returns where a piece ends, without splitting a CRLF or a surrogate pair. */
function endOfPiece(body: string, end: number): number {
  const [last = '', next = ''] = [body[end - 1], body[end]];
  return (last === '\r' && next === '\n') || /[\ud800-\udbff]/.test(last) ? end + 1 : end;
}

function withCrlf(text: string): string {
  return text.replace(/\r\n?|\n/g, '\r\n');
}
