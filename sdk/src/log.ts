/**
 * How much is logged: nothing, or everything up to this level. The server takes the same names. The client writes nothing that is
 * `fatal`, and at `trace` the same as at `debug`.
 */
export type LogLevel = 'off' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Where log lines go; `console` is one. */
export interface Logger {
  error(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
  info(message: string, ...details: unknown[]): void;
  debug(message: string, ...details: unknown[]): void;
}

/** Every level, from the one that logs the least. */
export const logLevels = [
  'off',
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
] as const satisfies LogLevel[];

/** The level that a text names, in any case; `silent` is another name of `off`. Null when it names none. */
export function logLevelOf(text: string): LogLevel | null {
  const name = String(text).toLowerCase();
  return name === 'silent' ? 'off' : (logLevels.find((level) => level === name) ?? null);
}

/** The logger with everything above the level left out. */
export function limitLogger(logger: Logger, level: LogLevel): Logger {
  const silent = () => {};
  const limited = (method: keyof Logger) =>
    logLevels.indexOf(method) <= logLevels.indexOf(level) ? logger[method].bind(logger) : silent;
  return { error: limited('error'), warn: limited('warn'), info: limited('info'), debug: limited('debug') };
}

const secretHeaders = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization']);

/** Headers as they may be logged: without what they keep secret. */
export function loggableHeaders(headers: Iterable<[string, string]>): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, secretHeaders.has(name) ? '***' : value]),
  );
}
