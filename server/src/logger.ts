import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/** Fields that may hold a secret wherever they stand in a log line. */
const secretFields = ['authorization', 'cookie', 'key', 'password', 'secret', 'token'];
const redact = {
  paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.headers.${field}`]),
  censor: '[redacted]',
};

/** The server's log: JSON lines on standard output, or readable ones when that is a terminal. */
export const createLogger = (level: string): Logger =>
  process.stdout.isTTY
    ? pino({ level, redact }, pretty({ colorize: true, translateTime: 'HH:MM:ss.l', ignore: 'pid,hostname' }))
    : pino({ level, redact });
