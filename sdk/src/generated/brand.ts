// Generated from the contract by scripts/sdk-types.ts. Do not edit.

/** The product. */
export const product = 'Postrider';

/** The version of this client. */
export const VERSION = '0.1.0';

/** What the client calls itself in `User-Agent`. */
export const userAgent = 'postrider-js/0.1.0';

/** The base URL when none is given: a server on this machine with its default settings. */
export const defaultBaseURL = 'http://127.0.0.1:4400/v1';

/** The environment variables that stand in for options. */
export const environment = {
  apiKey: 'POSTRIDER_API_KEY',
  baseURL: 'POSTRIDER_BASE_URL',
  webhookSecret: 'POSTRIDER_WEBHOOK_SECRET',
  logLevel: 'POSTRIDER_LOG',
} as const;

/** The header that names the workspace in requests by a token of the operator. */
export const workspaceHeader = 'x-postrider-workspace';

/** The setting of a server that lets pages of other origins call it. */
export const corsSetting = 'POSTRIDER_CORS_ORIGINS';

/** Headers of a webhook delivery that have the product's name. */
export const deliveryHeaders = {
  event: 'x-postrider-event',
  signature: 'x-postrider-signature',
} as const;

/** What tests are given: the address of a fake server's inboxes, its key, and the package of the real one. */
export const testing = {
  mailDomain: 'postrider.test',
  testKey: 'pr_test_fake',
  liveKeyPrefix: 'pr_live_',
  serverPackage: '@postrider/server',
} as const;

/** What every webhook secret begins with. */
export const webhookSecretPrefix = 'whsec_';

/** The realtime socket: where it is, how it is spoken to, and why it closes. */
export const realtime = {
  path: '/realtime',
  subprotocol: 'postrider.v1',
  bearerPrefix: 'bearer.',
  tooSlowCode: 4008,
} as const;

/** The stream of server-sent events: its media type, and the kind of the last event. */
export const eventStream = {
  contentType: 'text/event-stream',
  endEvent: 'end',
} as const;
