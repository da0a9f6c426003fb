/** Everything that carries the product's name. No other file spells it out, so the product can be renamed here. */
export const brand = {
  product: 'Postrider',
  /** The description that the API has of itself, with which every page about it begins. */
  summary: 'Email inboxes for AI agents: provision, receive, thread, send.',
  packages: {
    sdk: 'postrider',
    contract: '@postrider/contract',
    server: '@postrider/server',
    mcp: '@postrider/mcp',
    embeddings: '@postrider/embeddings',
  },
  headers: {
    event: 'x-postrider-event',
    signature: 'x-postrider-signature',
    /** Sent by the console with each request, so that no page of another origin can make one. */
    console: 'x-postrider-console',
    /** The workspace of a request of the console, and of one by an admin token of the operator. */
    workspace: 'x-postrider-workspace',
  },
  /** The server can set headers with this prefix, but senders cannot. Compare it without regard to case. */
  mailHeaderPrefix: 'X-Postrider-',
  keyPrefix: {
    live: 'pr_live_',
    test: 'pr_test_',
  },
  /** The prefix of tokens of the management API. */
  adminTokenPrefix: 'pr_admin_',
  webhookSecretPrefix: 'whsec_',
  /** The first part of DKIM selectors, in letters, digits and hyphens of lower case. */
  dkimSelectorPrefix: 'pr1-',
  /** The subprotocol that the realtime socket selects; the key is in a second one, after `bearerPrefix`. */
  realtime: {
    subprotocol: 'postrider.v1',
    bearerPrefix: 'bearer.',
  },
  /** The command that the server's package installs. */
  command: 'postrider-server',
  /** The script in `package.json` that runs the server from its source code. */
  script: 'postrider',
  /** The prefix of every metric of the server. */
  metricPrefix: 'postrider_',
  /** The name of the server in traces, and the prefix of its own attributes. */
  traces: {
    service: 'postrider',
    attributePrefix: 'postrider.',
  },
  /** The prefix of every environment variable of the server. */
  envPrefix: 'POSTRIDER_',
  /** The environment variables that the SDK and the MCP server read. */
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
