import { commonErrorCodes, type ErrorCode } from '../../contract/src/index.ts';
import { type ClientRoute, clientRoutes } from './contract-schemas.ts';
import { fileHead, literalText, spaced, typeText, unionText } from './type-text.ts';

/** The generated file with the route table and, for each route, the types of its answer and its errors. */
export function routesFile(): string {
  const used = clientRoutes.flatMap(({ answer }) => typeText(answer).match(/[A-Z]\w+/g) ?? []);
  const imports = [...new Set([...used, 'ErrorCode'])].sort();
  return `${fileHead}
import type {
${imports.map((name) => `  ${name},\n`).join('')}} from './types.ts';

/** A route of the API. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  /** The field that holds the items, when the answer is one page of a list. */
  readonly items?: string;
  /** Whether \`after\` instead of \`cursor\` asks for the next page. */
  readonly continuesAfter?: true;
  /** Whether its body takes \`attachments\`. */
  readonly takesAttachments?: true;
  /** Whether its body takes a \`client_id\`, which makes a repeat safe. */
  readonly takesClientId?: true;
}

/** Every route by its resource and method. */
export const routes = {
${clientRoutes.map(routeText).join('')}} as const satisfies Record<string, Route>;

/** The name of a route: resource and method. */
export type RouteName = keyof typeof routes;

/** What each route answers; void where the answer has no body. */
export interface RouteAnswers {
${clientRoutes.map(({ name, answer }) => `  ${literalText(name)}: ${answerText(typeText(answer))};\n`).join('')}}

/** The codes of errors that any route may answer. */
export type CommonErrorCode = Extract<
  ErrorCode,
${commonErrorCodes.map((code) => `  | ${literalText(code)}\n`).join('')}>;

/** The codes of errors that a route may answer beside the common ones. */
export interface RouteErrorCodes {
${clientRoutes.map(errorCodesText).join('')}}
`;
}

function routeText(route: ClientRoute): string {
  const { name, method, path, items } = route;
  const parts = [`method: ${literalText(method)}`, `path: ${literalText(path)}`];
  if (items !== null) parts.push(`items: ${literalText(items)}`);
  if (route.continuesAfter) parts.push('continuesAfter: true');
  if (route.takesAttachments) parts.push('takesAttachments: true');
  if (route.takesClientId) parts.push('takesClientId: true');
  return `  ${literalText(name)}: { ${parts.join(', ')} },\n`;
}

function answerText(type: string): string {
  return type === 'null' ? 'void' : type;
}

function errorCodesText({ name, codes }: ClientRoute): string {
  const common: readonly ErrorCode[] = commonErrorCodes;
  const own = codes.filter((code) => !common.includes(code)).map(literalText);
  return `  ${literalText(name)}:${spaced(own.length === 0 ? 'never' : unionText(own, '  '))};\n`;
}
