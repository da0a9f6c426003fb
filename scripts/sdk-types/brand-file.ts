import { brand } from '../../contract/src/index.ts';
import { fileHead, literalText } from './type-text.ts';

/** The generated file with what carries the product's name, and the version that the client names itself with. */
export function brandFile(version: string): string {
  const { product, packages, env, defaults } = brand;
  return `${fileHead}
/** The product. */
export const product = ${literalText(product)};

/** What the client calls itself in \`User-Agent\`. */
export const userAgent = ${literalText(`${packages.sdk}-js/${version}`)};

/** The base URL when none is given: a server on this machine with its default settings. */
export const defaultBaseURL = ${literalText(defaults.baseUrl)};

/** The environment variables that stand in for options. */
export const environment = {
  apiKey: ${literalText(env.apiKey)},
  baseURL: ${literalText(env.baseUrl)},
  logLevel: ${literalText(env.log)},
} as const;
`;
}
