import type { CallSettings } from './calls/call.ts';
import { checkLimits } from './calls/request.ts';
import { checkOptions } from './check-options.ts';
import { readEnvironment } from './environment.ts';
import { PostriderError } from './errors.ts';
import { corsSetting, defaultBaseURL, environment, product } from './generated/brand.ts';
import { type Logger, type LogLevel, limitLogger, logLevels, readLogLevel } from './log.ts';

/** The options of a client. An option that is left out comes from the environment or has a default. */
export interface ClientOptions {
  /**
   * The API key, or a function that returns it and is called before every attempt. Default:
   * `POSTRIDER_API_KEY`.
   */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * The base URL of the API, with its version. Default: `POSTRIDER_BASE_URL`, or `http://127.0.0.1:4400/v1`
   * if that is not set.
   */
  baseURL?: string | undefined;
  /** The time limit of each attempt, in milliseconds. Default: 60,000. */
  timeout?: number | undefined;
  /** The maximum number of retries of a call that may be repeated. Default: 2. */
  maxRetries?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * The secret of the webhook whose deliveries `webhooks.unwrap` verifies. Default:
   * `POSTRIDER_WEBHOOK_SECRET`.
   */
  webhookSecret?: string | undefined;
  /** The destination of log lines. Default: `console`. */
  logger?: Logger | undefined;
  /**
   * The log level. Keys and bodies are never logged. Default: `POSTRIDER_LOG`, which the server also reads,
   * or `warn` if that is not set.
   */
  logLevel?: LogLevel | undefined;
  /**
   * Allows the client in a browser, where everybody can read the key. Only pages whose origin is in the
   * server's `POSTRIDER_CORS_ORIGINS` can read its responses. Default: false.
   */
  dangerouslyAllowBrowser?: boolean | undefined;
}

const optionNames = [
  'apiKey',
  'baseURL',
  'timeout',
  'maxRetries',
  'fetch',
  'webhookSecret',
  'logger',
  'logLevel',
  'dangerouslyAllowBrowser',
] as const satisfies (keyof ClientOptions)[];

const timeoutMsDefault = 60_000;
const maxRetriesDefault = 2;

/**
 * Returns the settings of a client. Options that are left out come from the environment or have defaults.
 * Throws a `PostriderError` if an option is missing, unknown or invalid.
 */
export function callSettings(options: ClientOptions): CallSettings {
  checkOptions(`new ${product}()`, options, optionNames);
  if (isBrowser() && options.dangerouslyAllowBrowser !== true) {
    throw new PostriderError(
      'This looks like a browser, where everybody could read the API key. Call the API from a server or, if the key can be ' +
        `public, set dangerouslyAllowBrowser: true here and add the origin of the page to ${corsSetting} of the server.`,
    );
  }
  checkLimits(options);
  return {
    baseURL: readBaseURL(options.baseURL ?? readEnvironment(environment.baseURL) ?? defaultBaseURL),
    getApiKey: keySource(options.apiKey ?? readEnvironment(environment.apiKey)),
    timeoutMs: options.timeout ?? timeoutMsDefault,
    maxRetries: options.maxRetries ?? maxRetriesDefault,
    fetch: options.fetch,
    log: limitLog(options.logger ?? console, options.logLevel),
  };
}

function isBrowser(): boolean {
  return (
    typeof window !== 'undefined' &&
    typeof window.document !== 'undefined' &&
    typeof navigator !== 'undefined'
  );
}

function readBaseURL(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new PostriderError(`baseURL must be a URL like ${defaultBaseURL}, not ${JSON.stringify(text)}.`);
  }
  return text.replace(/\/+$/, '');
}

function keySource(apiKey: ClientOptions['apiKey']): () => Promise<string> {
  if (apiKey === undefined) {
    throw new PostriderError(
      `The API key is missing: pass new ${product}({ apiKey }) or set ${environment.apiKey}. ` +
        'A server prints its first key when it starts for the first time.',
    );
  }
  if (typeof apiKey !== 'function') {
    const key = checkedKey(apiKey);
    return async () => key;
  }
  return async () => {
    try {
      return checkedKey(await apiKey());
    } catch (cause) {
      if (cause instanceof PostriderError) throw cause;
      throw new PostriderError('The apiKey function failed.', { cause });
    }
  };
}

/**
 * Returns the key without surrounding spaces. Throws if the key has a character that headers do not allow,
 * because the error of `fetch` would print the key.
 */
function checkedKey(key: unknown): string {
  const text = typeof key === 'string' ? key.trim() : '';
  if (!/^[!-~]+$/.test(text))
    throw new PostriderError('The API key is empty or contains invalid characters.');
  return text;
}

function limitLog(logger: Logger, level: LogLevel | undefined): Logger {
  const text = level ?? readEnvironment(environment.logLevel) ?? 'warn';
  const known = readLogLevel(text);
  if (known !== null) return limitLogger(logger, known);
  const problem = `is not one of ${logLevels.join(', ')}`;
  if (level !== undefined) throw new PostriderError(`logLevel ${problem}.`);
  logger.warn(`${environment.logLevel} ${problem}; the level is warn.`);
  return limitLogger(logger, 'warn');
}
