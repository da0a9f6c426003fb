/*
 * Rewrites the header of a part with only the fields that describe the part, repaired where it breaks the rules but its meaning is clear.
 * mailparser reads this instead of the original header, so that a header of any length and with any other fields costs it nothing.
 */
import { bodyCharset, inCharset } from './body-charset.ts';
import { isUtf8 } from './decode-unlabelled.ts';
import { type Header, type HeaderField, readHeader } from './read-header-fields.ts';
import { joinCutWords } from './read-mailboxes.ts';
import { separateHeaders } from './separate-headers.ts';

/** Returns a mail with only those fields of its header that describe its content. */
export function mendMail(raw: Buffer, header: Header = readHeader(raw)): Buffer {
  const head = writeHeader(header.fields, bodyCharset(raw, header));
  const body = mendInnerHeaders(raw.subarray(header.bodyStart));
  return Buffer.concat([head, separateHeaders(body, head.toString('latin1'))]);
}

/** Returns the header of a part, including the empty line after it. `charset` is that of the body of its mail, or null. */
export function mendHeader(header: Buffer, charset: string | null): Buffer {
  return writeHeader(readHeader(header).fields, charset);
}

function writeHeader(fields: HeaderField[], charset: string | null): Buffer {
  const read = (name: string) => {
    const field = fields.find((each) => each.name === name && each.value !== '');
    return field?.isUnlabelled && charset !== null ? inCharset(field.value, charset) : (field?.value ?? '');
  };
  const disposition = mendParameters(read('content-disposition'));
  const encoding = mendEncoding(read('content-transfer-encoding'));
  const type = mendParameters(read('content-type'));
  const isFile =
    /name\*?\d*\*?=/i.test(type + disposition) ||
    /^\s*attachment/i.test(disposition) ||
    /base64|uue/i.test(encoding);
  const lines = [
    ['Content-Type', mendType(type, isFile)],
    ['Content-Disposition', disposition],
    ['Content-Transfer-Encoding', encoding],
    ['Content-ID', read('content-id')],
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

/** Returns the encoding by its usual name, without quotes, comments and parameters, which other readers pass over. */
function mendEncoding(value: string): string {
  const token = /^(?:\s|\([^()]*\)|["'])*([\w-]+(?: printable)?)/i.exec(value)?.[1] ?? value;
  if (/^(?:x-)?base-?64$/i.test(token)) return 'base64';
  return /^(?:x-)?quoted[-_ ]?printable$/i.test(token) ? 'quoted-printable' : token;
}

const missingSemicolon = /^([^\s;"=]+)\s+(?=[a-z-]+(?:\*\d*\*?)?=)/i;
/** A quote that opens a value and is never closed. */
const openQuote = /([\w*-]+=)"([^";]*)(;[^"]*)?$/;
const windowsPath = /(name=")(?:[a-z]:|\\)\\(?:[^"\\]*\\)*([^"\\]+)"/gi;

function mendParameters(value: string): string {
  const quotes = value.match(/(?<!\\)"/g)?.length ?? 0;
  const closed = quotes % 2 === 0 ? value : value.replace(openQuote, '$1"$2"$3');
  const parted = closed.replace(missingSemicolon, '$1; ').replace(windowsPath, '$1$2"');
  return relabel(joinCutWords(parted));
}

/** An extended value (RFC 8187, section 3.2) with a charset that is ASCII, Latin, UTF-8 or missing. */
const extendedLabel =
  /(\*(?:0\*)?="?)(?:us-ascii|ascii|iso-8859-1|latin1|windows-1252|utf-?8)?(?='[^']{0,40}')/gi;

/** Corrects the charset of names that are not in it: programs write UTF-8 under any label. */
function relabel(value: string): string {
  const octets = Buffer.from((value.match(/%[\da-f]{2}/gi) ?? []).join('').replaceAll('%', ''), 'hex');
  if (octets.every((octet) => octet < 0x80)) return value;
  return value.replace(extendedLabel, isUtf8(octets) ? '$1utf-8' : '$1windows-1252');
}

/** A delimiter, fields, a line of white space, and then neither a field nor an empty line: the white space was meant to end the header. */
const unendedHeader =
  /(\n--[^\n]{1,200}\n(?:[!-,.-9;-~][!-9;-~]{0,80}[ \t]*:[^\n]*\n(?:[ \t]+[^\s][^\n]*\n)*)+)[ \t]+(\r?\n)(?![ \t]|[!-9;-~]{1,80}[ \t]*:|\r?\n)/g;
const whiteLines = ['\n \r\n', '\n\t\r\n', '\n  \r\n', '\n \n', '\n\t\n'];

function mendInnerHeaders(body: Buffer): Buffer {
  if (!whiteLines.some((line) => body.includes(line))) return body;
  return Buffer.from(`\n${body.toString('latin1')}`.replace(unendedHeader, '$1$2').slice(1), 'latin1');
}
