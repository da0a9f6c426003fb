const byteOrderMark = [0xef, 0xbb, 0xbf];

/**
 * What a body of UTF-8 says; an empty one says `{}`, as clients send it where there is nothing to say.
 *
 * @throws SyntaxError when it is not JSON.
 */
export const parseJson = (bytes: Buffer): unknown => {
  const hasMark = byteOrderMark.every((byte, at) => bytes[at] === byte);
  const text = bytes.toString('utf8', hasMark ? byteOrderMark.length : 0);
  return text === '' ? {} : JSON.parse(text);
};
