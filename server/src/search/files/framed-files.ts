import type { Readable } from 'node:stream';
import { type FileKind, fileKinds } from './file-kind.ts';

/** A file on its way to the process that reads it. */
export interface FramedFile {
  kind: FileKind;
  bytes: Buffer;
}

/** One byte for the kind of a file, and four for its size. */
const headerBytes = 5;

/** Returns the header, which goes before the bytes of a file. */
export function frameOf({ kind, bytes }: FramedFile): Buffer {
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
