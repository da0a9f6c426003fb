/*
 * The parts of a raw mail, read by mailparser unless it has nothing but usual texts. Four of its decisions are replaced, which its options do not reach: headers
 * are not interpreted a second time, bytes without a usable charset are decoded as what they most likely are, the text bodies
 * are left in their tree instead of being joined and converted, and quoted-printable keeps the bytes beyond ASCII that it
 * finds. It may take long for a hostile mail and is therefore only called in a worker that can be stopped.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { MailParser } from 'mailparser';
import { decodeBody, saysNothing } from './decode-body.ts';
import { QuotedPrintableDecoder } from './quoted-printable.ts';
import { readTextParts } from './read-text-parts.ts';

/** A part of the tree: a container with children, or a text with its content. */
export interface TextPart {
  contentType: string | false;
  textContent?: string;
  isAttachment?: boolean;
  children: TextPart[];
}

/** A part that is not text of the body. */
export interface FilePart {
  contentType: string;
  disposition: string | null;
  filename: string | null;
  contentId: string | null;
  /** Stands inside multipart/related. */
  related: boolean;
  sizeBytes: number;
  /** Null unless it was asked for. */
  content: Buffer | null;
}

/** Everything that a mail consists of below its header. */
export interface MimeContent {
  root: TextPart | null;
  files: FilePart[];
}

interface HeaderLine {
  key: string;
  line: string;
}

/** What the splitter says of a part when its header is complete. */
interface PartHeader {
  root: boolean;
  contentType: string | false;
  disposition: string | false;
  filename: string | false;
  charset: string | false;
  encoding: string | false;
  parentNode: PartHeader | false;
  getDecoder(): Transform;
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

/** The inside of mailparser's parser as far as it is replaced here; the version is pinned, and the tests cover all of it. */
interface ParserInside extends Transform {
  tree: TextPart | false;
  createNode(part: PartHeader): TextPart;
  processHeaders(lines: HeaderLine[] | false): Map<string, string>;
  getDecoder(): CharsetDecoder;
  getTextContent(): { type: 'text' };
}

const ParserBase = MailParser as unknown as new (options: object) => ParserInside;

/** No charset has this name, so that the decoder can tell that none was given. */
const unlabelled = 'x-unlabelled';
const latin1Pattern = /^(?:iso[-_]?8859[-_]?1|latin[-_]?1|l1|cp819)$/i;

class MimeParser extends ParserBase {
  #hasText = new Set<string>();

  override createNode(part: PartHeader): TextPart {
    if (part.contentType === 'text/plain' || part.contentType === 'text/html') this.#settleText(part);
    if (part.encoding === 'quoted-printable') part.getDecoder = () => new QuotedPrintableDecoder();
    return super.createNode(part);
  }

  override processHeaders(lines: HeaderLine[] | false): Map<string, string> {
    const found = (lines || []).find(({ key }) => key === 'content-id');
    const value = found?.line.slice(found.line.indexOf(':') + 1).trim() ?? '';
    return new Map(value === '' ? [] : [['content-id', value]]);
  }

  override getDecoder(): CharsetDecoder {
    const known = super.getDecoder();
    return {
      decodeStream(charset) {
        try {
          return charset === unlabelled ? new UnlabelledDecoder() : known.decodeStream(charset);
        } catch {
          return new UnlabelledDecoder();
        }
      },
    };
  }

  override getTextContent(): { type: 'text' } {
    return { type: 'text' };
  }

  #settleText(part: PartHeader): void {
    const charset = (part.charset || '').trim();
    if (saysNothing(charset)) part.charset = unlabelled;
    // Who labels a text ISO-8859-1 means windows-1252 (WHATWG Encoding, section 4.2): its quotes and dashes are controls there.
    else if (latin1Pattern.test(charset)) part.charset = 'windows-1252';
    const type = String(part.contentType);
    const isAlternative =
      part.parentNode !== false && part.parentNode.contentType === 'multipart/alternative';
    if (part.filename && !part.root && !isAlternative && this.#hasText.has(type))
      part.disposition = 'attachment';
    if (part.disposition !== 'attachment') this.#hasText.add(type);
  }
}

class UnlabelledDecoder extends Transform {
  readonly #chunks: Buffer[] = [];

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#chunks.push(chunk);
    done();
  }

  override _flush(done: TransformCallback): void {
    done(null, Buffer.from(decodeBody(Buffer.concat(this.#chunks))));
  }
}

/** Reads the parts of a mail; rejects when it is built so that mailparser refuses it (a header over 1 MiB, 1,000 parts). */
export async function readMime(raw: Buffer, withContent: boolean): Promise<MimeContent> {
  const root = readTextParts(raw);
  return root ? { root, files: [] } : readMimeOfAnyKind(raw, withContent);
}

/** As `readMime`, by mailparser for every mail. */
export function readMimeOfAnyKind(raw: Uint8Array, withContent: boolean): Promise<MimeContent> {
  const parser = new MimeParser({ keepDeliveryStatus: true, ignoreEmbedded: true });
  const files: FilePart[] = [];
  return new Promise((resolve, reject) => {
    parser.on('error', reject);
    parser.on('data', (item: EmittedFile | { type: 'text' }) => {
      if (item.type === 'attachment') collect(item, withContent, files);
    });
    parser.on('end', () => resolve({ root: parser.tree || null, files }));
    parser.end(raw);
  });
}

function collect(item: EmittedFile, withContent: boolean, files: FilePart[]): void {
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
  const chunks: Buffer[] = [];
  item.content.on('data', (chunk: Buffer) => {
    file.sizeBytes += chunk.length;
    if (withContent) chunks.push(chunk);
  });
  item.content.on('end', () => {
    if (withContent) file.content = Buffer.concat(chunks);
    item.release();
  });
}
