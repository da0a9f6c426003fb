/*
 * Rewrites the header of a part with only the fields that describe the part, repaired where it breaks the rules but its meaning is clear.
 * mailparser reads this instead of the original header, so that a header of any length and with any other fields costs it nothing.
 */
import { firstValue, type HeaderField, readHeader } from './read-header-fields.ts';

/** Returns a mail with only those fields of its header that describe its content. */
export function mendMail(raw: Buffer): Buffer {
  const { fields, bodyStart } = readHeader(raw);
  return Buffer.concat([writeHeader(fields), mendInnerHeaders(raw.subarray(bodyStart))]);
}

/** Returns the header of a part, including the empty line after it. */
export function mendHeader(header: Buffer): Buffer {
  return writeHeader(readHeader(header).fields);
}

function writeHeader(fields: HeaderField[]): Buffer {
  const disposition = mendParameters(firstValue(fields, 'content-disposition') ?? '');
  const encoding = firstValue(fields, 'content-transfer-encoding') ?? '';
  const type = mendParameters(firstValue(fields, 'content-type') ?? '');
  const isFile =
    /name\*?\d*\*?=/i.test(type + disposition) ||
    /^\s*attachment/i.test(disposition) ||
    /base64|uue/i.test(encoding);
  const lines = [
    ['Content-Type', mendType(type, isFile)],
    ['Content-Disposition', disposition],
    ['Content-Transfer-Encoding', encoding],
    ['Content-ID', firstValue(fields, 'content-id') ?? ''],
  ];
  const written = lines.map(([name, value]) => (value === '' ? '' : `${name}: ${value}\r\n`));
  // mailparser would take a text with a replacement character for one that is not UTF-8.
  return Buffer.from(`${written.join('').replaceAll('\ufffd', '')}\r\n`);
}

/** Returns the type. Without a subtype it is the default, text/plain (RFC 2045, section 5.2), unless it is a file, whose name says more. */
function mendType(value: string, isFile: boolean): string {
  const [type = ''] = value.split(/[;\s]/, 1);
  if (type === '' || type.includes('/')) return value;
  if (/^(?:text|plain|html)$/i.test(type) || !isFile) return `text/plain${value.slice(type.length)}`;
  return '';
}

const missingSemicolon = /^([^\s;"=]+)\s+(?=[a-z-]+(?:\*\d*\*?)?=)/i;
/** A quote that opens a value and is never closed. */
const openQuote = /([\w*-]+=)"([^";]*)(;[^"]*)?$/;
const windowsPath = /(name=")(?:[a-z]:|\\)\\(?:[^"\\]*\\)*([^"\\]+)"/gi;

function mendParameters(value: string): string {
  const quotes = value.match(/(?<!\\)"/g)?.length ?? 0;
  const closed = quotes % 2 === 0 ? value : value.replace(openQuote, '$1"$2"$3');
  return closed.replace(missingSemicolon, '$1; ').replace(windowsPath, '$1$2"');
}

/** A delimiter, fields, a line of white space, and then neither a field nor an empty line: the white space was meant to end the header. */
const unendedHeader =
  /(\n--[^\n]{1,200}\n(?:[!-,.-9;-~][!-9;-~]{0,80}[ \t]*:[^\n]*\n(?:[ \t]+[^\s][^\n]*\n)*)+)[ \t]+(\r?\n)(?![ \t]|[!-9;-~]{1,80}[ \t]*:|\r?\n)/g;
const whiteLines = ['\n \r\n', '\n\t\r\n', '\n  \r\n', '\n \n', '\n\t\n'];

function mendInnerHeaders(body: Buffer): Buffer {
  if (!whiteLines.some((line) => body.includes(line))) return body;
  return Buffer.from(`\n${body.toString('latin1')}`.replace(unendedHeader, '$1$2').slice(1), 'latin1');
}
