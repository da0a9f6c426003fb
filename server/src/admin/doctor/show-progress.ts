import type { WriteStream } from 'node:tty';

/** Shows which looks are still going on. */
export interface Progress {
  /** Returns the result of a look, which counts as going on until then. */
  track<T>(name: string, look: Promise<T>): Promise<T>;
  /** Removes the line. */
  end(): void;
}

const clearLine = '\r\x1b[K';

/** Shows progress in one line of a terminal. Shows nothing if the stream is none, so that logs and pipes stay clean. */
export function showProgress(stream: Pick<WriteStream, 'isTTY' | 'write' | 'columns'>): Progress {
  const underway = new Set<string>();
  const write = (text: string) => {
    if (stream.isTTY) stream.write(text);
  };
  const show = () => {
    const text = `Examining ${[...underway].join(', ')} …`;
    write(underway.size === 0 ? clearLine : clearLine + text.slice(0, (stream.columns ?? 80) - 1));
  };
  return {
    track: async (name, look) => {
      underway.add(name);
      show();
      try {
        return await look;
      } finally {
        underway.delete(name);
        show();
      }
    },
    end: () => write(clearLine),
  };
}
