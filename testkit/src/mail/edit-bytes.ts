import fc from 'fast-check';

/** One change of some bytes. Places are shares of their length, so that an edit fits any mail. */
export interface Edit {
  kind: 'flip' | 'cut' | 'repeat' | 'move' | 'insert';
  at: number;
  length: number;
  with: string;
}

/** Texts that parsers look for, and those that they stumble over. */
const tokens = [
  '\r\n\r\n',
  '\r\n',
  '\n',
  '\r',
  '\0',
  '\r\n.\r\n',
  '--',
  '=?utf-8?b?',
  '=?utf-8?q?=00?=',
  '?=',
  '=00',
  '=\r\n',
  'Content-Type: multipart/mixed; boundary=b\r\n',
  'Content-Type: message/rfc822\r\n\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  'Content-Transfer-Encoding: x-unknown\r\n',
  'charset=utf-16',
  'charset=no-such',
  ';',
  '"',
  '(',
  '<',
  '>',
  ',',
  ':',
  '@',
  '\t',
  'Message-ID: <a@b>\r\n',
  'References: <a@b> <c@d>\r\n',
  'Date: Thu, 99 Feb 99999 99:99:99 +9999\r\n',
  '\xff\xfe',
  '\xed\xa0\x80',
  '\xf0\x9f\x98\x80',
  '\u202e',
  '__proto__',
  '<div>',
  '<!--',
  'begin 644 x\r\n',
];

/** Some changes, from a flipped byte to a thousand repetitions. */
export const someEdits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Edit['kind'][]>('flip', 'cut', 'repeat', 'move', 'insert'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 2_000 })),
    with: fc.oneof(fc.constantFrom(...tokens), fc.string({ unit: 'binary', maxLength: 6 })),
  }),
  { minLength: 1, maxLength: 6 },
);

/** Returns the bytes after some changes, one after another. */
export function edited(bytes: Buffer, edits: Edit[]): Buffer {
  return edits.reduce(applyEdit, bytes);
}

function applyEdit(bytes: Buffer, edit: Edit): Buffer {
  const at = Math.floor(edit.at * bytes.length);
  const before = bytes.subarray(0, at);
  const piece = bytes.subarray(at, at + edit.length);
  const after = bytes.subarray(at + edit.length);
  switch (edit.kind) {
    case 'flip':
      return Buffer.concat([before, piece.map((byte) => byte ^ (1 << (edit.length % 8))), after]);
    case 'cut':
      return Buffer.concat([before, after]);
    case 'repeat':
      return Buffer.concat([before, ...Array<Buffer>(1 + (edit.length % 40)).fill(piece), after]);
    case 'move':
      return Buffer.concat([after, piece, before]);
    case 'insert':
      return Buffer.concat([before, Buffer.from(edit.with), piece, after]);
  }
}
