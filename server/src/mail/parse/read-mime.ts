/*
 * Reads the parts of a raw mail, with mailparser unless the mail has nothing but ordinary texts. mailparser gets repaired headers. Some of
 * its decisions, which its options do not cover, are replaced: headers are not interpreted a second time, text is decoded as what it most
 * likely is, format=flowed is unfolded by the standard, text bodies stay in their tree instead of being joined and converted,
 * quoted-printable keeps bytes beyond ASCII, and uuencoded files are decoded. A hostile mail may take long, so this is only called in a
 * worker that can be stopped.
 */
import type { Transform } from 'node:stream';
import { MailParser } from 'mailparser';
import { DecodeWhole, decodeText } from './decode-body.ts';
import { decodeQuotedPrintable, decodeUuencoded, unfoldFlowed } from './encodings.ts';
import { bodyCharset, mendHeader, mendMail } from './part-header.ts';
import { readHeader } from './read-header-fields.ts';
import { readTextParts, type TextPart } from './read-text-parts.ts';

/** A part that is not text of the body. */
export interface FilePart {
  contentType: string;
  disposition: string | null;
  filename: string | null;
  contentId: string | null;
  /** Whether it is inside multipart/related. */
  related: boolean;
  sizeBytes: number;
  /** Null unless it is kept. */
  content: Buffer | null;
}

/** Everything in a mail below its header. */
export interface MimeContent {
  root: TextPart | null;
  files: FilePart[];
}

interface HeaderLine {
  key: string;
  line: string;
}

/** The splitter's description of a part whose header is complete. */
interface PartHeader {
  root: boolean;
  contentType: string | false;
  disposition: string | false;
  filename: string | false;
  charset: string | false;
  encoding: string | false;
  flowed: boolean;
  delSp: boolean;
  headers: { get(name: string): unknown[] } | false;
  parentNode: PartHeader | false;
  getDecoder(): Transform;
  parseHeaders(): void;
  _headersLines: Buffer[];
  _headerlen: number;
}

/** Splits the bytes at the delimiters of multiparts. */
interface Splitter {
  node: PartHeader;
  newNode(parent?: PartHeader): void;
}

interface EmittedFile {
  type: 'attachment';
  contentType: string | false;
  contentDisposition?: string;
  filename?: string;
  cid?: string;
  related?: boolean;
  content: NodeJS.ReadableStream;
  release(): void;
}

interface CharsetDecoder {
  decodeStream(charset: string): NodeJS.ReadWriteStream;
}

/** The internals of mailparser's parser that are replaced here. The version is pinned, and the tests cover all of them. */
interface ParserInside extends Transform {
  tree: TextPart | false;
  splitter: Splitter;
  createNode(part: PartHeader): TextPart;
  processHeaders(lines: HeaderLine[] | false): Map<string, string>;
  getDecoder(): CharsetDecoder;
  getTextContent(): { type: 'text' };
}

const ParserBase = MailParser as unknown as new (options: object) => ParserInside;

/** No charset has such a name, so mailparser leaves all decoding to the decoder here. */
const labelPrefix = 'x-label:';
const uuencodings = new Set(['x-uuencode', 'uuencode', 'x-uue', 'uue']);

class MimeParser extends ParserBase {
  #hasText = new Set<string>();

  /** `charset` is the charset of the body, or null. */
  constructor(options: object, charset: string | null) {
    super(options);
    const { splitter } = this;
    const newNode = splitter.newNode.bind(splitter);
    splitter.newNode = (parent) => {
      newNode(parent);
      mendWhenParsed(splitter.node, charset);
    };
  }

  override createNode(part: PartHeader): TextPart {
    const parent = part.parentNode ? part.parentNode.contentType : false;
    // RFC 2046, section 5.1.5.
    if (parent === 'multipart/digest' && part.headers && part.headers.get('content-type').length === 0)
      part.contentType = 'message/rfc822';
    if (part.contentType === 'text/plain' || part.contentType === 'text/html') this.#settleText(part);
    if (part.encoding === 'quoted-printable') part.getDecoder = () => new DecodeWhole(decodeQuotedPrintable);
    if (uuencodings.has(String(part.encoding))) part.getDecoder = () => new DecodeWhole(decodeUuencoded);
    const flowed = part.flowed ? { delSp: part.delSp } : undefined;
    part.flowed = false;
    const node = super.createNode(part);
    return flowed ? Object.assign(node, { flowed }) : node;
  }

  override processHeaders(lines: HeaderLine[] | false): Map<string, string> {
    const found = (lines || []).find(({ key }) => key === 'content-id');
    const value = found?.line.slice(found.line.indexOf(':') + 1).trim() ?? '';
    return new Map(value === '' ? [] : [['content-id', value]]);
  }

  override getDecoder(): CharsetDecoder {
    return {
      decodeStream: (label) =>
        new DecodeWhole((bytes) => Buffer.from(decodeText(bytes, label.slice(labelPrefix.length)))),
    };
  }

  override getTextContent(): { type: 'text' } {
    return { type: 'text' };
  }

  #settleText(part: PartHeader): void {
    part.charset = labelPrefix + (part.charset || '');
    const type = String(part.contentType);
    const isAlternative =
      part.parentNode !== false && part.parentNode.contentType === 'multipart/alternative';
    if (part.filename && !part.root && !isAlternative && this.#hasText.has(type))
      part.disposition = 'attachment';
    if (part.disposition !== 'attachment') this.#hasText.add(type);
  }
}

/** Repairs the header of a part once the splitter has found its end. The header of the mail itself was repaired before. */
function mendWhenParsed(part: PartHeader, charset: string | null): void {
  const parse = part.parseHeaders.bind(part);
  part.parseHeaders = () => {
    if (!part.headers) {
      part._headersLines = [mendHeader(Buffer.concat(part._headersLines), charset)];
      part._headerlen = part._headersLines[0]?.length ?? 0;
    }
    parse();
  };
}

/** Decides whose files' bytes are kept. */
export type KeepContent = (file: FilePart) => boolean;

/** Reads the parts of a mail. Rejects if mailparser refuses its structure (a part with a header over 1 MiB, 1,000 parts). */
export async function readMime(raw: Buffer, keep: KeepContent): Promise<MimeContent> {
  const root = readTextParts(raw);
  return root ? { root, files: [] } : readMimeOfAnyKind(raw, keep);
}

/** The same as `readMime`, but uses mailparser for every mail. */
export function readMimeOfAnyKind(raw: Buffer, keep: KeepContent): Promise<MimeContent> {
  const header = readHeader(raw);
  const charset = bodyCharset(raw, header);
  const parser = new MimeParser({ keepDeliveryStatus: true, ignoreEmbedded: true }, charset);
  const files: FilePart[] = [];
  return new Promise((resolve, reject) => {
    parser.on('error', reject);
    parser.on('data', (item: EmittedFile | { type: 'text' }) => {
      if (item.type === 'attachment') collect(item, keep, files);
    });
    parser.on('end', () => {
      if (parser.tree) unfold(parser.tree);
      resolve({ root: parser.tree || null, files });
    });
    parser.end(mendMail(raw, header));
  });
}

function unfold(part: TextPart): void {
  if (part.flowed && part.textContent !== undefined)
    part.textContent = unfoldFlowed(part.textContent, part.flowed.delSp);
  part.children.forEach(unfold);
}

function collect(item: EmittedFile, keep: KeepContent, files: FilePart[]): void {
  const file: FilePart = {
    contentType: item.contentType || 'application/octet-stream',
    disposition: item.contentDisposition ?? null,
    filename: item.filename ?? null,
    contentId: item.cid ?? null,
    related: item.related === true,
    sizeBytes: 0,
    content: null,
  };
  files.push(file);
  const isKept = keep(file);
  const chunks: Buffer[] = [];
  item.content.on('data', (chunk: Buffer) => {
    file.sizeBytes += chunk.length;
    if (isKept) chunks.push(chunk);
  });
  item.content.on('end', () => {
    if (isKept) file.content = Buffer.concat(chunks);
    item.release();
  });
}
