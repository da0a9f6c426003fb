/** How much is logged: nothing, or everything up to this level. */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug';

/** Where log lines go; `console` is one. */
export interface Logger {
  error(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
  info(message: string, ...details: unknown[]): void;
  debug(message: string, ...details: unknown[]): void;
}

const levels = ['off', 'error', 'warn', 'info', 'debug'] as const satisfies LogLevel[];

/** Whether a text is a log level. */
export function isLogLevel(text: string): text is LogLevel {
  return (levels as readonly string[]).includes(text);
}

/** The logger with everything above the level left out. */
export function limitLogger(logger: Logger, level: LogLevel): Logger {
  const silent = () => {};
  const limited = (method: keyof Logger) =>
    levels.indexOf(method) <= levels.indexOf(level) ? logger[method].bind(logger) : silent;
  return { error: limited('error'), warn: limited('warn'), info: limited('info'), debug: limited('debug') };
}

const secretHeaders = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization']);

/** Headers as they may be logged: without what they keep secret. */
export function loggableHeaders(headers: Iterable<[string, string]>): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, secretHeaders.has(name) ? '***' : value]),
  );
}
