import { unzipSync } from 'fflate';
import { fileLimits } from './file-text.ts';

/** Those files of an archive that were wanted, by name, and whether some of them were too large to be unpacked. */
export interface UnpackedArchive {
  /** The names of all files in the archive. */
  names: Set<string>;
  files: Map<string, string>;
  isCut: boolean;
}

const entriesMax = 20_000;

/**
 * Unpacks the XML files of a zip archive whose names match, up to the limit for all of them together. They are only kept in memory, so a
 * name can lead nowhere. A file that claims to be smaller than it is ends there.
 *
 * @throws Error if the archive is damaged or has over 20,000 entries.
 */
export function unpackArchive(bytes: Buffer, wanted: RegExp): UnpackedArchive {
  const names = new Set<string>();
  let leftBytes: number = fileLimits.unpackedBytesMax;
  let [entries, isCut] = [0, false];
  const unpacked = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      entries += 1;
      if (entries > entriesMax) throw new Error(`The archive has over ${entriesMax} entries.`);
      // A name that is repeated would be unpacked each time.
      if (names.has(name)) return false;
      names.add(name);
      if (!wanted.test(name)) return false;
      if (originalSize > leftBytes) {
        isCut = true;
        return false;
      }
      leftBytes -= originalSize;
      return true;
    },
  });
  const files = Object.entries(unpacked).map(([name, content]) => [name, decodeXml(content)] as const);
  return { names, files: new Map(files), isCut };
}

function decodeXml(content: Uint8Array): string {
  const isUtf16 =
    (content[0] === 0xff && content[1] === 0xfe) || (content[0] === 0xfe && content[1] === 0xff);
  return new TextDecoder(isUtf16 ? (content[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(content);
}
