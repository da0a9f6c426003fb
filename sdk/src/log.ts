/**
 * How much is logged: nothing, or everything up to this level. The server has the same names. The client
 * never logs at `fatal`, and logs the same at `trace` as at `debug`.
 */
export type LogLevel = 'off' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Where log lines go, such as `console`. */
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

/** Returns the level that a text names, in any case; null when it names none. `silent` means `off`. */
export function logLevelOf(text: string): LogLevel | null {
  const name = String(text).toLowerCase();
  return name === 'silent' ? 'off' : (logLevels.find((level) => level === name) ?? null);
}

/** Returns the logger with everything above the level left out. */
export function limitLogger(logger: Logger, level: LogLevel): Logger {
  const silent = () => {};
  const limited = (method: keyof Logger) =>
    logLevels.indexOf(method) <= logLevels.indexOf(level) ? logger[method].bind(logger) : silent;
  return { error: limited('error'), warn: limited('warn'), info: limited('info'), debug: limited('debug') };
}

const secretHeaders = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization']);

/** Returns headers in a form that may be logged, without secret values. */
export function loggableHeaders(headers: Iterable<[string, string]>): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, secretHeaders.has(name) ? '***' : value]),
  );
}
