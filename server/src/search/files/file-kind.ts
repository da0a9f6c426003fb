/*
 * The kinds of files whose text is read. Names and media types decide which files are read at all. The bytes then decide how, because
 * both are often wrong.
 */
import { extname } from 'node:path';
import type { Readable } from 'node:stream';

/** The ways of reading a file. */
const fileKinds = ['pdf', 'office', 'html', 'text', 'mail'] as const;

/** A way of reading a file. `office` is an archive of Office Open XML or OpenDocument. */
export type FileKind = (typeof fileKinds)[number];

const extensions: Record<FileKind, string> = {
  pdf: 'pdf',
  office: 'docx docm dotx dotm pptx pptm ppsx potx xlsx xlsm xltx odt ott ods ots odp otp',
  html: 'html htm xhtml',
  mail: 'eml',
  text: 'txt text log md markdown rst csv tsv json jsonl ndjson xml yaml yml ics vcf',
};
const kindOfExtension = new Map<string, FileKind>(
  fileKinds.flatMap((kind) =>
    extensions[kind].split(' ').map((extension) => [`.${extension}`, kind] as const),
  ),
);

const mediaTypes: [RegExp, FileKind][] = [
  [/^application\/(?:x-)?pdf$/, 'pdf'],
  [
    /^application\/vnd\.(?:openxmlformats-officedocument\.(?:word|spreadsheet|presentation)ml\.|oasis\.opendocument\.(?:text|spreadsheet|presentation))/,
    'office',
  ],
  [/^message\/rfc822$/, 'mail'],
  [/^(?:text\/html|application\/xhtml\+xml)$/, 'html'],
  [/^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|yaml)$)/, 'text'],
];

/** Returns how a file would be read by its name or else its media type; null for a file that is not read, such as an image. */
export function kindOfFile({ filename, mimeType }: { filename: string; mimeType: string }): FileKind | null {
  const byName = kindOfExtension.get(extname(filename.trim()).toLowerCase());
  if (byName) return byName;
  const type = mimeType.toLowerCase().split(';', 1)[0]!.trim();
  return mediaTypes.find(([pattern]) => pattern.test(type))?.[1] ?? null;
}

const signatures: [signature: string, kind: FileKind | null][] = [
  ['PK\x03\x04', 'office'],
  ['PK\x05\x06', 'office'],
  // A compound file is an older document of an office program, or an encrypted one.
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', null],
];
/** Readers of PDF accept bytes before the header. */
const pdfHeaderWithin = 1_024;
const sampleBytes = 65_536;
/** Text has hardly any control characters, while they are a tenth of random bytes. */
const controlShareMax = 0.02;

/** Returns how the bytes of a file are to be read, whatever it claims to be; null if they are in a format that is not read. */
export function kindOfBytes(bytes: Buffer, claimed: FileKind): FileKind | null {
  const head = bytes.toString('latin1', 0, pdfHeaderWithin);
  const signed = signatures.find(([signature]) => head.startsWith(signature));
  if (signed) return signed[1];
  if (claimed === 'pdf' ? head.includes('%PDF-') : head.trimStart().startsWith('%PDF-')) return 'pdf';
  if (detectUtf16(bytes) === null && isBinary(bytes)) return null;
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html)[\s>]/i.test(head)) return 'html';
  return claimed === 'pdf' || claimed === 'office' ? null : claimed;
}

/** Returns the name of the encoding of text in UTF-16, with or without a byte order mark; null for other bytes. */
export function detectUtf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, sampleBytes);
  const nuls: [even: number, odd: number] = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) nuls[at % 2 === 0 ? 0 : 1] += 1;
  const [even, odd] = nuls.map((count) => count / (sample.length / 2)) as [number, number];
  if (odd > 0.5 && even < 0.05) return 'utf-16le';
  return even > 0.5 && odd < 0.05 ? 'utf-16be' : null;
}

function isBinary(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, sampleBytes);
  let controls = 0;
  // Tabs, line breaks, form feeds and escapes are found in text.
  for (const byte of sample) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) controls += 1;
  return controls > sample.length * controlShareMax;
}

/** A file on its way to the process that reads it. */
export interface FramedFile {
  kind: FileKind;
  bytes: Buffer;
}

/** One byte for the kind of a file, and four for its size. */
const headerBytes = 5;

/** Returns the header, which goes before the bytes of a file. */
export function frameHeader({ kind, bytes }: FramedFile): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(fileKinds.indexOf(kind), 0);
  header.writeUInt32BE(bytes.length, 1);
  return header;
}

/** Returns the files of a stream, whose writer sends the next one only once it has the result of the last. */
export async function* framedFiles(stream: Readable): AsyncGenerator<FramedFile> {
  let chunks: Buffer[] = [];
  let [size, neededSize] = [0, headerBytes];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (neededSize === headerBytes && size >= headerBytes) {
      chunks = [Buffer.concat(chunks)];
      neededSize += chunks[0]!.readUInt32BE(1);
    }
    if (size < neededSize) continue;
    const whole = Buffer.concat(chunks);
    chunks = [];
    [size, neededSize] = [0, headerBytes];
    yield { kind: fileKinds[whole.readUInt8(0)] ?? 'text', bytes: whole.subarray(headerBytes) };
  }
}
