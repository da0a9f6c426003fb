/** Everything that carries the product's name. No other file spells it out, so renaming the product is a change here. */
export const brand = {
  product: 'Postrider',
  /** What the API describes itself with, and the start of every page about it. */
  summary: 'Email inboxes for AI agents: provision, receive, thread, send.',
  packages: {
    sdk: 'postrider',
    contract: '@postrider/contract',
    server: '@postrider/server',
    mcp: '@postrider/mcp',
  },
  headers: {
    event: 'x-postrider-event',
    signature: 'x-postrider-signature',
  },
  /** Senders may not set headers of this prefix; the server may. Compare without regard to case. */
  mailHeaderPrefix: 'X-Postrider-',
  keyPrefix: {
    live: 'pr_live_',
    test: 'pr_test_',
  },
  webhookSecretPrefix: 'whsec_',
  /** The subprotocol that the realtime socket selects; the key comes in a second one with `bearerPrefix`. */
  realtime: {
    subprotocol: 'postrider.v1',
    bearerPrefix: 'bearer.',
  },
  /** The command that the server's package installs. */
  command: 'postrider-server',
  /** The script of the source code's package.json that runs it there. */
  script: 'postrider',
  /** Every metric of the server starts with it. */
  metricPrefix: 'postrider_',
  /** Every environment variable of the server starts with it. */
  envPrefix: 'POSTRIDER_',
  /** What the SDK and the MCP server read. */
  env: {
    apiKey: 'POSTRIDER_API_KEY',
    baseUrl: 'POSTRIDER_BASE_URL',
    webhookSecret: 'POSTRIDER_WEBHOOK_SECRET',
    log: 'POSTRIDER_LOG',
  },
  /** The setting of a server that lets pages of other origins call it. */
  corsSetting: 'POSTRIDER_CORS_ORIGINS',
  defaults: {
    httpHost: '127.0.0.1',
    httpPort: 4400,
    baseUrl: 'http://127.0.0.1:4400/v1',
    smtpHost: '127.0.0.1',
    smtpPort: 2525,
    mailDomain: 'postrider.test',
  },
} as const;
