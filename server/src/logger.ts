import { type Logger, pino } from 'pino';

/** Fields that may hold a secret wherever they stand in a log line. */
const secretFields = ['authorization', 'cookie', 'key', 'password', 'secret', 'token'];
const redact = {
  paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.headers.${field}`]),
  censor: '[redacted]',
};

/** The server's log: JSON lines on standard output, or readable ones when that is a terminal. */
export const createLogger = async (level: string): Promise<Logger> => {
  if (!process.stdout.isTTY) return pino({ level, redact });
  const { default: pretty } = await import('pino-pretty');
  const stream = pretty({ colorize: true, translateTime: 'HH:MM:ss.l', ignore: 'pid,hostname' });
  return pino({ level, redact }, stream);
};
