import fc from 'fast-check';

/** Texts that are odd in their places, and some that are not. */
const oddText = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    'a\0b',
    '=?utf-8?b?7aCA?=',
    '=?utf-8?q?a=00b?=',
    '=?x-none?q?=ff?= =?utf-8?b?w6k?=',
    '"a\\"b" <a@b.example>, g:;, <>',
    'g: a@b.example, c@d.example;',
    '<a@b.example> (((nested) comment)',
    `<${'i'.repeat(9_000)}@x.example>`,
    Array.from({ length: 300 }, (_, i) => `<${i}@x.example>`).join('\r\n '),
    Array.from({ length: 300 }, (_, i) => `r${i}@x.example`).join(',\r\n '),
    'x'.repeat(20_000),
    '\u202e\u0000\ud800',
    'Fri, 20 Nov 2026 10:00:00 +0000',
    'Thu, 01 Jan 0000 00:00:00 +0000',
    'Sat, 31 Dec 275760 23:59:59 -9999',
    '-1',
  ),
);

const fieldName = fc.oneof(
  fc.constantFrom(
    'From',
    'To',
    'Cc',
    'Reply-To',
    'Subject',
    'Date',
    'Message-ID',
    'In-Reply-To',
    'References',
    'Auto-Submitted',
    'List-Id',
    'Sender',
    'Content-ID',
    'Content-Location',
    'Content-Description',
    'DKIM-Signature',
    '__proto__',
    'constructor',
    'X-\xe9',
  ),
  fc.string({ maxLength: 12 }),
);

const contentType = fc.oneof(
  fc.constantFrom(
    'text/plain',
    'text/html; charset=utf-8',
    'text/plain; charset=utf-16le',
    'text/plain; charset=iso-2022-jp; format=flowed; delsp=yes',
    'text/calendar; method=REQUEST',
    'message/rfc822',
    'message/delivery-status',
    'application/octet-stream; name="../a\0b.exe"',
    "application/pdf; name*0*=utf-8''%e2%82; name*1*=%ac; name*3=x",
    'image/png; name==?utf-8?b?4pyT?=',
    'multipart/mixed',
    'multipart/mixed; boundary=""',
    'text',
    '/',
    ';;;',
  ),
  oddText,
);

const encoding = fc.constantFrom('', '7bit', '8bit', 'base64', 'quoted-printable', 'x-uuencode', 'binary\0');
const disposition = fc.constantFrom(
  '',
  'inline',
  'attachment',
  'attachment; filename="a/b\\c"',
  'x; filename',
);

const content = fc.oneof(
  oddText,
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.constantFrom(
    '<div>'.repeat(300),
    '<p>a<blockquote>b</blockquote><img src="cid:x@y">',
    '=E2=82=AC=\r\n=',
    '> quoted\r\n>> twice\r\nOn Mon, a wrote:\r\n-- \r\nsignature',
    Array.from({ length: 2_000 }, (_, i) => `w${i * 7_919}`).join(' '),
  ),
);

function fields(type: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(fieldName, oddText), { maxLength: 5 }), type, encoding, disposition)
    .map(([some, ofType, ofEncoding, ofDisposition]) =>
      [
        ...some.map(([name, value]) => `${name}: ${value}`),
        `Content-Type: ${ofType}`,
        ...(ofEncoding ? [`Content-Transfer-Encoding: ${ofEncoding}`] : []),
        ...(ofDisposition ? [`Content-Disposition: ${ofDisposition}`] : []),
      ].join('\r\n'),
    );
}

const { part } = fc.letrec<{ part: string; leaf: string; parts: string; attached: string }>((tie) => ({
  part: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('leaf'), tie('parts'), tie('attached')),
  leaf: fc.tuple(fields(contentType), content).map(([header, body]) => `${header}\r\n\r\n${body}`),
  attached: fc
    .tuple(fields(fc.constant('message/rfc822')), tie('part'))
    .map(([header, inner]) => `${header}\r\n\r\n${inner}`),
  parts: fc
    .tuple(
      fc.constantFrom('b', 'b b', '=_x', 'b--', "'()+_,-./:=?"),
      fc.constantFrom('mixed', 'alternative', 'related', 'report', 'signed', '\u00e9'),
      fc.array(tie('part'), { maxLength: 4 }),
      fc.constantFrom('--', '', '-', '--\r\nepilogue'),
    )
    .chain(([boundary, kind, inner, end]) =>
      fields(fc.constant(`multipart/${kind}; boundary="${boundary}"`)).map((header) =>
        [header, '', ...inner.flatMap((each) => [`--${boundary}`, each]), `--${boundary}${end}`].join('\r\n'),
      ),
    ),
}));

/** A mail by the grammar of MIME, with odd texts in every place. */
export const madeUpMail: fc.Arbitrary<string> = part;
