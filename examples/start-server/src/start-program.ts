import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program of an example that runs. */
export interface StartedProgram {
  /** The lines that it printed so far. */
  lines: string[];
  /** Ends it by SIGKILL, at whatever it is; resolves once it is gone. */
  kill(): Promise<void>;
  /** Resolves once it has ended by itself; rejects when it ended with an error. */
  ended: Promise<void>;
}

/** Starts a program as a reader would: with nothing but the key and the address of the server. */
export function startProgram(
  [file, ...args]: [string, ...string[]],
  { apiKey, baseURL }: { apiKey: string; baseURL: string },
): StartedProgram {
  const env = { POSTRIDER_API_KEY: apiKey, POSTRIDER_BASE_URL: baseURL };
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint += text;
  });
  const closed = once(child, 'close');
  const ended = closed.then(([code, signal]) => {
    if (code !== 0) throw new Error(`${file} ended with ${code ?? signal}:\n${complaint}`);
  });
  // A test that kills the program does not wait for its end.
  ended.catch(() => {});
  return {
    lines,
    ended,
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
