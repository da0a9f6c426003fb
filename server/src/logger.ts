import { type Logger, pino } from 'pino';

/** Fields that may contain a secret, wherever they are in a log line. */
const secretFields = ['authorization', 'cookie', 'key', 'password', 'secret', 'token'];
const redact = {
  paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.headers.${field}`]),
  censor: '[redacted]',
};

/**
 * The server's log: JSON lines on standard output, or readable ones when that is a terminal. Each line also has the fields that `mixin`
 * returns, if it is given.
 */
export async function createLogger(level: string, mixin?: () => object): Promise<Logger> {
  const options = { level, redact, ...(mixin && { mixin }) };
  if (!process.stdout.isTTY) return pino(options);
  const toText = await readableLines({ colorize: true });
  return pino(options, { write: (line: string) => void process.stdout.write(toText(line)) });
}

/** The fields of a request that stand at the beginning of its line, before all others. */
interface RequestLine {
  method?: string;
  route?: string;
  status?: number;
  durationMs?: number;
  error?: string;
}

const requestFields = ['method', 'route', 'status', 'durationMs', 'error'] satisfies (keyof RequestLine)[];
/** The message of the lines that are about a request. */
const requestMark = '"msg":"request"';

/** Makes a line for people of each JSON line of the log: one line, but for the stack of an error. */
export async function readableLines({ colorize }: { colorize: boolean }): Promise<(line: string) => string> {
  const { prettyFactory } = await import('pino-pretty');
  const usual = { colorize, singleLine: true, translateTime: 'SYS:HH:MM:ss.l' };
  const hidden = ['pid', 'hostname'];
  const others = prettyFactory({ ...usual, ignore: hidden.join(',') });
  const requests = prettyFactory({
    ...usual,
    ignore: [...hidden, ...requestFields].join(','),
    messageFormat: ({ method, route, status, durationMs, error }: RequestLine) =>
      `${method} ${route} ${status}${error === undefined ? '' : ` ${error}`} in ${durationMs} ms`,
  });
  return (line) => (line.includes(requestMark) ? requests : others)(line) ?? '';
}
