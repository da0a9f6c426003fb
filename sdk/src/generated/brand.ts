// Generated from the contract by scripts/sdk-types.ts. Do not edit.

/** The product. */
export const product = 'Postrider';

/** What the client calls itself in `User-Agent`. */
export const userAgent = 'postrider-js/0.1.0';

/** The base URL when none is given: a server on this machine with its default settings. */
export const defaultBaseURL = 'http://127.0.0.1:4400/v1';

/** The environment variables that stand in for options. */
export const environment = {
  apiKey: 'POSTRIDER_API_KEY',
  baseURL: 'POSTRIDER_BASE_URL',
  logLevel: 'POSTRIDER_LOG',
} as const;
