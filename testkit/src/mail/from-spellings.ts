/*
 * Spellings of From in mail that a stranger sends and signs for `evil.example`, where he would like to be taken for
 * `boss@customer.example`. `author` is whom the message is shown to be from.
 */

/** The one whom the stranger would like to be. */
export const boss = 'boss@customer.example';
/** The stranger. */
export const eve = 'eve@evil.example';

/** A header with its author. */
export interface FromSpelling {
  name: string;
  /** The lines of the header around From. */
  lines: (string | Buffer)[];
  author: string;
  /** Whether the mail proves that it is from this author. */
  isProven: boolean;
  /** By default that of the stranger. */
  envelopeFrom?: string;
}

const fromBytesMax = 4_096;

/** A From whose first 4,096 characters end with the address of the boss. */
function cutAt(rest: string): string {
  const end = `"\r\n <${boss}`;
  const start = '"';
  return `${start}${'x'.repeat(fromBytesMax - start.length - end.length)}${end}${rest}`;
}

const of = (name: string, from: string, author: string = eve, isProven = author === eve): FromSpelling => ({
  name,
  lines: [`From: ${from}`],
  author,
  isProven,
});
const around = (
  name: string,
  lines: FromSpelling['lines'],
  author: string,
  isProven = false,
): FromSpelling => ({ name, lines, author, isProven });

/** Whatever a stranger may think of, and some that are honest. */
export const fromSpellings: FromSpelling[] = [
  of('a bare address', eve),
  of('a name and an address', `Eve <${eve}>`),
  of('letters of any case', 'Eve <EVE@Evil.Example>'),
  of('folded', `Eve\r\n\t<${eve}>`),
  of('folded inside the angle brackets', `Eve <\r\n ${eve}>`),
  of('with comments', `(a) ${eve} (${boss})`),
  of('a comment that is never closed', `(${boss} <${eve}>`, eve, false),
  of('a group of one', `Board: ${eve};`),
  of('a group with a boss', `Board: ${eve}, ${boss};`, eve, false),
  of('an empty group', 'undisclosed:;', eve, false),
  of('a quoted local part', `"${boss}"@evil.example`, '"boss@customer.example"@evil.example', true),
  of('a quoted name that is an address', `"${boss}" <${eve}>`),
  of('a name that is an address', `${boss} <${eve}>`),
  of('a name with angle brackets', `"Boss <${boss}>" <${eve}>`),
  of('two pairs of angle brackets', `<${boss}> <${eve}>`, boss),
  of('two at signs', `${boss}@evil.example`, `${boss}@evil.example`, false),
  of('a name of encoded words', `=?utf-8?q?boss=40customer.example?= <${eve}>`),
  of('an encoded address', '=?utf-8?q?=3Cboss=40customer.example=3E?=', eve, false),
  of('an encoded word in the domain', 'boss@=?utf-8?q?customer.example?=', eve, false),
  of('two authors', `${boss}, ${eve}`, boss),
  of('two authors, the stranger first', `${eve}, ${boss}`, eve, false),
  around('two From fields', [`From: ${boss}`, `From: ${eve}`], boss),
  around('two From fields, the stranger first', [`From: ${eve}`, `From: ${boss}`], eve),
  around('an empty From before another', ['From:', `From: ${boss}`], boss),
  around('white space before the colon', [`From : ${boss}`, `From: ${eve}`], boss),
  around('a fold before the colon', ['From', ` : ${boss}`, `From: ${eve}`], eve),
  around('a line that is no field before it', [`From: ${eve}`, `From ${boss}`, `From: ${boss}`], eve),
  around('a line of dashes before it', [`From: ${eve}`, '--x', `From: ${boss}`], eve),
  around('a line of white space before it', [`From: ${eve}`, ' ', 'x', `From: ${boss}`], eve),
  of('an IDN', 'Eve <eve@bücher.example>', 'eve@xn--bcher-kva.example', false),
  of('a circled letter', 'Boss <boss@ⓒustomer.example>', boss),
  of('letters of full width', 'Boss <boss@ｃｕｓｔｏｍｅｒ．example>', boss),
  of('an at sign of full width', 'boss＠customer.example', eve, false),
  of(
    'a circled letter and an underscore',
    'Boss <boss@a_b.ⓒustomer.example>',
    'boss@a_b.customer.example',
    false,
  ),
  of('a soft hyphen in the domain', 'boss@custo\u00admer.example', boss),
  of('a route', `<@evil.example:${boss}>`, boss),
  of('an address with NUL', `${boss}\0.evil.example`, `${boss}.evil.example`, true),
  of('an address with white space', `${boss} evil.example`, boss),
  around('bytes that are no UTF-8', [Buffer.from(`From: B\xf6ss <${eve}>`, 'latin1')], eve, true),
  around(
    'a byte that is no UTF-8 in the domain',
    [Buffer.from('From: boss@c\xfcstomer.example', 'latin1')],
    'boss@xn--cstomer-n2a.example',
  ),
  of(
    'an address that is cut',
    `${'x'.repeat(320 - '@customer.example'.length)}@customer.example.evil.example`,
    `${'x'.repeat(64)}@customer.example.evil.example`,
    true,
  ),
  of('cut at 4,096 characters', cutAt('.evil.example>'), eve, false),
  {
    ...of('behind the cut, by a forged envelope', `"${'x'.repeat(fromBytesMax)}"\r\n <${eve}>`, boss),
    envelopeFrom: boss,
  },
  {
    ...of(
      'behind the cut, by an envelope with a circled letter',
      `"${'x'.repeat(fromBytesMax)}" <${eve}>`,
      boss,
    ),
    envelopeFrom: 'boss@ⓒustomer.example',
  },
  of('of more than 128 KB', `"${'x'.repeat(140_000)}" <${boss}>`, eve, false),
  of(
    'folded into more than 128 KB',
    `${boss}${`\r\n${' '.repeat(900)}`.repeat(160)},\r\n ${eve}`,
    eve,
    false,
  ),
  around(
    'behind 25,000 lines',
    [...Array.from({ length: 25_000 }, (_, n) => `X-Pad-${n}: x`), `From: ${boss}`],
    eve,
  ),
  around(
    'before and behind 25,000 lines',
    [`From: ${boss}`, ...Array.from({ length: 25_000 }, (_, n) => `X-Pad-${n}: x`), `From: ${eve}`],
    boss,
  ),
  around(
    'behind a header of 4 MB',
    [...Array.from({ length: 4_400 }, () => `X-Pad: ${'x'.repeat(990)}`), `From: ${boss}`],
    eve,
  ),
  around('missing', ['X-Other: x'], eve),
  around('empty', ['From:'], eve),
  { ...of('a name alone, from nobody', 'Boss', 'Boss'), envelopeFrom: '' },
  {
    ...of(
      'an encoded address, from nobody',
      `=?utf-8?q?=3Cboss=40customer.example=3E?=`,
      '<boss customer.example>',
    ),
    envelopeFrom: '',
  },
  of('a name alone', 'Boss', eve, false),
  around('a Sender alone', [`Sender: ${boss}`], eve),
  around('resent from the boss', [`Resent-From: ${boss}`, `From: ${eve}`], eve, true),
  around('a Sender beside it', [`Sender: ${boss}`, `From: ${eve}`], eve, true),
  { ...around('missing, by a forged envelope', ['X-Other: x'], boss), envelopeFrom: boss },
];
