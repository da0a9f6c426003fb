// Writes the wheel of the Python client, which `pip install` takes as a file, on Node 20 with nothing else. Its bytes depend on the
// sources alone. Use: node scripts/pack-python.mjs [folder]
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { rootFolder } from './bootstrap/folders.mjs';

const source = join(rootFolder, 'python');

/** @typedef {{ name: string, content: Buffer }} Entry */

/**
 * Returns the name and the bytes of the wheel.
 * @returns {Entry}
 */
export function buildWheel() {
  const { version, description } = JSON.parse(readFileSync(join(rootFolder, 'sdk/package.json'), 'utf8'));
  const info = `postrider-${version}.dist-info`;
  const modules = readdirSync(join(source, 'postrider'), { encoding: 'utf8', recursive: true })
    .filter((path) => /\.py$|^py\.typed$/.test(path))
    .map((path) => `postrider/${path.replaceAll('\\', '/')}`)
    .sort();
  const entries = [
    ...modules.map((name) => ({ name, content: readFileSync(join(source, name)) })),
    { name: `${info}/METADATA`, content: Buffer.from(metadata(version, description)) },
    { name: `${info}/WHEEL`, content: Buffer.from(wheelInfo) },
    { name: `${info}/licenses/LICENSE`, content: readFileSync(join(rootFolder, 'LICENSE')) },
  ];
  const record = { name: `${info}/RECORD`, content: Buffer.from(recordText(entries, info)) };
  return { name: `postrider-${version}-py3-none-any.whl`, content: zip([...entries, record]) };
}

const wheelInfo = 'Wheel-Version: 1.0\nGenerator: postrider\nRoot-Is-Purelib: true\nTag: py3-none-any\n';

/**
 * @param {string} version
 * @param {string} description
 */
function metadata(version, description) {
  const lines = [
    'Metadata-Version: 2.1',
    'Name: postrider',
    `Version: ${version}`,
    `Summary: ${description}`,
    'License: MIT',
    'Classifier: Typing :: Typed',
    'Requires-Python: >=3.10',
    'Description-Content-Type: text/markdown',
  ];
  return `${lines.join('\n')}\n\n${readFileSync(join(source, 'README.md'), 'utf8')}`;
}

/**
 * Returns the list of the files with their hashes. Its own line has none.
 * @param {Entry[]} entries
 * @param {string} info
 */
function recordText(entries, info) {
  const lines = entries.map(
    ({ name, content }) =>
      `${name},sha256=${createHash('sha256').update(content).digest('base64url')},${content.length}`,
  );
  return `${[...lines, `${info}/RECORD,,`].join('\n')}\n`;
}

/** The first day that a zip file can name: 1980-01-01. */
const date = 0x21;
const deflated = 8;
const utf8Names = 0x0800;
/** A regular file that everybody may read. */
const mode = 0o100644;

/**
 * Returns a zip file, in which all files are of the same time.
 * @param {Entry[]} entries
 */
function zip(entries) {
  const files = [];
  const directory = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const path = Buffer.from(name);
    const packed = deflateRawSync(content, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(utf8Names, 2);
    common.writeUInt16LE(deflated, 4);
    common.writeUInt16LE(date, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, path, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(mode * 0x10000, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), common, rest, path]));
    files.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, index, end]);
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/**
 * Returns the checksum of a file in a zip file. Node has it from version 22 on.
 * @param {Buffer} bytes
 */
function crc32(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (crcTable[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? rootFolder);
  const { name, content } = buildWheel();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
  console.log(join(folder, name));
}
