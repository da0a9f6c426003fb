import { brand, eventStream, realtimeCloseCodes, realtimePath } from '../../contract/src/index.ts';
import { fileHead, literalText } from './type-text.ts';

/** Returns the generated file with everything that carries the product's name, and the version that the client sends in its name. */
export function brandFile(version: string): string {
  const { product, packages, headers, keyPrefix, webhookSecretPrefix, env, defaults } = brand;
  return `${fileHead}
/** The product. */
export const product = ${literalText(product)};

/** The version of this client. */
export const VERSION = ${literalText(version)};

/** What the client calls itself in \`User-Agent\`. */
export const userAgent = ${literalText(`${packages.sdk}-js/${version}`)};

/** The base URL when none is given: a server on this machine with its default settings. */
export const defaultBaseURL = ${literalText(defaults.baseUrl)};

/** The environment variables that stand in for options. */
export const environment = {
  apiKey: ${literalText(env.apiKey)},
  baseURL: ${literalText(env.baseUrl)},
  webhookSecret: ${literalText(env.webhookSecret)},
  logLevel: ${literalText(env.log)},
} as const;

/** The header that names the workspace in requests by a token of the operator. */
export const workspaceHeader = ${literalText(brand.headers.workspace)};

/** The setting of a server that lets pages of other origins call it. */
export const corsSetting = ${literalText(brand.corsSetting)};

/** Headers of a webhook delivery that have the product's name. */
export const deliveryHeaders = {
  event: ${literalText(headers.event)},
  signature: ${literalText(headers.signature)},
} as const;

/** What tests are given: the address of a fake server's inboxes, its key, and the package of the real one. */
export const testing = {
  mailDomain: ${literalText(defaults.mailDomain)},
  testKey: ${literalText(`${keyPrefix.test}fake`)},
  liveKeyPrefix: ${literalText(keyPrefix.live)},
  serverPackage: ${literalText(packages.server)},
} as const;

/** What every webhook secret begins with. */
export const webhookSecretPrefix = ${literalText(webhookSecretPrefix)};

/** The realtime socket: where it is, how it is spoken to, and why it closes. */
export const realtime = {
  path: ${literalText(realtimePath)},
  subprotocol: ${literalText(brand.realtime.subprotocol)},
  bearerPrefix: ${literalText(brand.realtime.bearerPrefix)},
  tooSlowCode: ${realtimeCloseCodes.tooSlow.code},
} as const;

/** The stream of server-sent events: its media type, and the kind of the last event. */
export const eventStream = {
  contentType: ${literalText(eventStream.contentType)},
  endEvent: ${literalText(eventStream.endEvent)},
} as const;
`;
}
