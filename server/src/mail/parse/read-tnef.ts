/*
 * Opens winmail.dat, in which Outlook packs the files and the text of a mail (MS-OXTNEF): attributes one after another, some of which
 * hold properties of MAPI (MS-OXCDATA). It is hostile input: every length is checked against what is there, and what does not fit ends
 * the reading.
 */
import { lookup } from 'mime-types';
import { decodeText } from './decode-body.ts';
import { type MapiProperties, type MapiValue, readProperties } from './mapi-properties.ts';
import type { FilePart } from './read-mime.ts';

const signature = 0x223e9f78;
const headBytes = 6;
const attributeHeadBytes = 9;
const checksumBytes = 2;
const attributesMax = 10_000;
const filesMax = 1_000;

const attribute = {
  body: 0x0002_800c,
  codePage: 0x0006_9007,
  properties: 0x0006_9003,
  fileBegins: 0x0006_9002,
  fileTitle: 0x0001_8010,
  fileData: 0x0006_800f,
  fileProperties: 0x0006_9005,
};

/** The contents of a winmail.dat. */
export interface TnefContent {
  text: string | null;
  html: string | null;
  files: FilePart[];
  /** Whether it also contains something else, such as a message. */
  hasMore: boolean;
}

interface OpenFile {
  title: string;
  data: Buffer | null;
  properties: MapiProperties;
}

/** Returns the contents of a winmail.dat, as far as it can be read, or null if it is none. */
export function readTnef(bytes: Buffer): TnefContent | null {
  if (bytes.length < headBytes || bytes.readUInt32LE(0) !== signature) return null;
  let codePage = 1252;
  let body: Buffer | null = null;
  let properties: MapiProperties = new Map();
  const files: OpenFile[] = [];
  const { attributes, isCut } = readAttributes(bytes);
  for (const { id, data } of attributes) {
    const file = files.at(-1);
    if (id === attribute.codePage && data.length >= 4) codePage = data.readUInt32LE(0);
    else if (id === attribute.body) body = data;
    else if (id === attribute.properties) properties = readProperties(data);
    else if (id === attribute.fileBegins && files.length < filesMax)
      files.push({ title: '', data: null, properties: new Map() });
    else if (file && id === attribute.fileTitle) file.title = textOf(data, codePage);
    else if (file && id === attribute.fileData) file.data = data;
    else if (file && id === attribute.fileProperties) file.properties = readProperties(data);
  }
  const page = readNumber(properties.get(0x3fde)) ?? codePage;
  const read = (found: MapiProperties, id: number) => readText(found.get(id), page);
  return {
    text: read(properties, 0x1000) ?? (body && textOf(body, codePage)),
    html: read(properties, 0x1013),
    files: files.flatMap((file) => filePart(file, read) ?? []),
    hasMore: isCut || files.some((file) => filePart(file, read) === null),
  };
}

function readAttributes(bytes: Buffer) {
  const attributes: { id: number; data: Buffer }[] = [];
  let at = headBytes;
  while (attributes.length < attributesMax && at + attributeHeadBytes <= bytes.length) {
    const [id, length] = [bytes.readUInt32LE(at + 1), bytes.readUInt32LE(at + 5)];
    const start = at + attributeHeadBytes;
    if (start + length > bytes.length) break;
    attributes.push({ id, data: bytes.subarray(start, start + length) });
    at = start + length + checksumBytes;
  }
  return { attributes, isCut: at + attributeHeadBytes <= bytes.length };
}

function filePart(
  { title, data, properties }: OpenFile,
  read: (found: MapiProperties, id: number) => string | null,
): FilePart | null {
  const inside = properties.get(0x3701);
  // A message or a picture of another program has no bytes that stand for themselves.
  if (inside?.type === 'object') return null;
  const content = data ?? readBytes(inside);
  if (content === null) return null;
  const filename = read(properties, 0x3707) || read(properties, 0x3704) || title || null;
  const contentId = read(properties, 0x3712)?.replace(/^<|>$/g, '') || null;
  return {
    contentType: read(properties, 0x370e) || lookup(filename ?? '') || 'application/octet-stream',
    disposition: contentId === null ? 'attachment' : 'inline',
    filename,
    contentId,
    related: contentId !== null,
    sizeBytes: content.length,
    content,
  };
}

function readText(value: MapiValue | undefined, codePage: number): string | null {
  if (!value || typeof value.data === 'number' || value.type === 'object') return null;
  return value.type === 'unicode' ? withoutNul(value.data.toString('utf16le')) : textOf(value.data, codePage);
}

function readNumber(value: MapiValue | undefined): number | null {
  return typeof value?.data === 'number' ? value.data : null;
}

function readBytes(value: MapiValue | undefined): Buffer | null {
  return value?.type === 'binary' && typeof value.data !== 'number' ? value.data : null;
}

const codePages: Record<number, string> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  20127: 'us-ascii',
  20866: 'koi8-r',
  50220: 'iso-2022-jp',
  51932: 'euc-jp',
  54936: 'gb18030',
  65001: 'utf-8',
};

function textOf(bytes: Buffer, codePage: number): string {
  const isLatin = codePage > 28_590 && codePage < 28_606;
  const charset = codePages[codePage] ?? (isLatin ? `iso-8859-${codePage - 28_590}` : `windows-${codePage}`);
  return withoutNul(decodeText(bytes, charset));
}

function withoutNul(text: string): string {
  return text.replace(/\0+$/, '');
}
