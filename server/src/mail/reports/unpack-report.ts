/*
 * Unpacks the file of a DMARC report (RFC 7489, section 7.2.1.1). Media types and file names of such files are unreliable, so their first
 * bytes decide: gzip, a zip archive with one file, or plain XML. A file that grows to more than 10 MB is not unpacked further.
 */
import { gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';

/** The largest file of a report, as it was sent and unpacked. */
export const reportFileLimits: { packedBytes: number; unpackedBytes: number } = {
  packedBytes: 1_048_576,
  unpackedBytes: 10_485_760,
};

type Kind = 'gzip' | 'zip' | 'xml';

/** Returns the kind of a file that may be a report, or null. */
export function kindOfReport(file: Buffer): Kind | null {
  if (file.length > 2 && file[0] === 0x1f && file[1] === 0x8b) return 'gzip';
  if (file.subarray(0, 4).toString('latin1') === 'PK\x03\x04') return 'zip';
  return /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|!--|(?:\w+:)?feedback)/.test(
    file.subarray(0, 200).toString('latin1'),
  )
    ? 'xml'
    : null;
}

/** Returns the XML of a file, which has to be of this kind. Throws an Error if it is damaged or over a limit. */
export function unpackReport(file: Buffer, kind: Kind): Buffer {
  const { packedBytes, unpackedBytes } = reportFileLimits;
  if (kind !== 'xml' && file.length > packedBytes) throw new Error(`The file has over ${packedBytes} bytes.`);
  if (kind === 'gzip') return gunzipSync(file, { maxOutputLength: unpackedBytes });
  if (kind === 'zip') return unzipReport(file);
  if (file.length > unpackedBytes) throw new Error(`The file has over ${unpackedBytes} bytes.`);
  return file;
}

function unzipReport(file: Buffer): Buffer {
  let entries = 0;
  const files = unzipSync(file, {
    filter: ({ originalSize }) => {
      entries += 1;
      if (entries > 1) throw new Error('The archive has several files.');
      // fflate reserves this size and writes nothing beyond it, so an archive that lies about it ends within the XML.
      if (originalSize > reportFileLimits.unpackedBytes)
        throw new Error(`The file in the archive has over ${reportFileLimits.unpackedBytes} bytes.`);
      return true;
    },
  });
  const [content] = Object.values(files);
  if (!content) throw new Error('The archive is empty.');
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}
