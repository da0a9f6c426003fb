import { type Logger, pino } from 'pino';
import { readableLines } from './log-lines.ts';

/** Fields that may hold a secret wherever they stand in a log line. */
const secretFields = ['authorization', 'cookie', 'key', 'password', 'secret', 'token'];
const redact = {
  paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.headers.${field}`]),
  censor: '[redacted]',
};

/** The server's log: JSON lines on standard output, or readable ones when that is a terminal. */
export async function createLogger(level: string): Promise<Logger> {
  if (!process.stdout.isTTY) return pino({ level, redact });
  const toText = await readableLines({ colorize: true });
  return pino({ level, redact }, { write: (line: string) => void process.stdout.write(toText(line)) });
}
