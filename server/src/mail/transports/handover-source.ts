import { Readable } from 'node:stream';

/**
 * The progress of a message. `envelope`: nothing was handed over. `asking`: the peer agreed to accept it (354) and the caller is being
 * told. `content`: some of its bytes may have been sent. `complete`: all of it, including the final dot, may have been sent.
 */
export type HandoverPhase = 'envelope' | 'asking' | 'content' | 'complete';

/** The bytes of one message as a stream that tracks its progress. */
export interface HandoverSource {
  stream: Readable;
  phase(): HandoverPhase;
  /** Resolves once the caller's `onHandover` has ended, if it was called: to the error that it rejected with, or to null. */
  settled(): Promise<Error | null>;
}

const chunkBytes = 64 * 1024;

/**
 * Wraps a message for nodemailer, which reads the first byte of a stream only after 354 and writes the final dot only once the stream has
 * ended. So the first read is the moment of handover, and once the end of the stream is handed out, the peer may have the whole message.
 * `onProgress` is called after each step.
 */
export function createHandoverSource(
  raw: Buffer,
  onHandover: () => Promise<void>,
  onProgress: (phase: HandoverPhase) => void,
): HandoverSource {
  let phase: HandoverPhase = 'envelope';
  let position = 0;
  let asked: Promise<Error | null> = Promise.resolve(null);

  function moveTo(next: HandoverPhase): void {
    phase = next;
    onProgress(next);
  }
  function pushNext(): void {
    if (position < raw.length) {
      moveTo('content');
      const chunk = raw.subarray(position, position + chunkBytes);
      position += chunk.length;
      stream.push(chunk);
    } else {
      moveTo('complete');
      stream.push(null);
    }
  }
  async function ask(): Promise<Error | null> {
    try {
      await onHandover();
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      stream.destroy(failure);
      return failure;
    }
    // If the connection was lost in the meantime, the stream is destroyed and no byte must be sent any more.
    if (!stream.destroyed) pushNext();
    return null;
  }

  const stream = new Readable({
    // Nothing is read before the socket takes it, so that the phase stays close to the wire.
    highWaterMark: 1,
    read() {
      if (phase !== 'envelope') return pushNext();
      moveTo('asking');
      asked = ask();
    },
  });
  return { stream, phase: () => phase, settled: () => asked };
}
