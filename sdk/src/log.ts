/**
 * How much is logged: nothing for `off`, otherwise everything up to this level. The server uses the same
 * names. The client never logs at `fatal`, and `trace` logs the same as `debug`.
 */
export type LogLevel = 'off' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** A destination of log lines, such as `console`. */
export interface Logger {
  error(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
  info(message: string, ...details: unknown[]): void;
  debug(message: string, ...details: unknown[]): void;
}

/** All levels, starting with the one that logs the least. */
export const logLevels = [
  'off',
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
] as const satisfies LogLevel[];

/**
 * Returns the level with this name, in upper or lower case, or null if there is none. `silent` means `off`.
 */
export function readLogLevel(text: string): LogLevel | null {
  const name = String(text).toLowerCase();
  return name === 'silent' ? 'off' : (logLevels.find((level) => level === name) ?? null);
}

/** Returns a logger that ignores lines above the level. */
export function limitLogger(logger: Logger, level: LogLevel): Logger {
  const silent = () => {};
  const limited = (method: keyof Logger) =>
    logLevels.indexOf(method) <= logLevels.indexOf(level) ? logger[method].bind(logger) : silent;
  return { error: limited('error'), warn: limited('warn'), info: limited('info'), debug: limited('debug') };
}

const secretHeaders = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization']);

/** Returns headers in a form that may be logged, with secret values masked. */
export function loggableHeaders(headers: Iterable<[string, string]>): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, secretHeaders.has(name) ? '***' : value]),
  );
}
