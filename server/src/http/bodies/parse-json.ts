const byteOrderMark = [0xef, 0xbb, 0xbf];

/**
 * Returns the value of a UTF-8 body. An empty body is `{}`, because clients send one if they have nothing to say.
 *
 * @throws SyntaxError if it is not JSON.
 */
export function parseJson(bytes: Buffer): unknown {
  const hasMark = byteOrderMark.every((byte, at) => bytes[at] === byte);
  const text = bytes.toString('utf8', hasMark ? byteOrderMark.length : 0);
  return text === '' ? {} : JSON.parse(text);
}
