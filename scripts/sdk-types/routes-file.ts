import { commonErrorCodes, type ErrorCode } from '../../contract/src/index.ts';
import { type ClientRoute, clientRoutes } from './contract-schemas.ts';
import { fileHead, literalText, spaced, typeText, unionText } from './type-text.ts';

/** Returns the generated file with the route table and, for each route, the types of its response and its errors. */
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
  /** Whether \`after\` instead of \`cursor\` asks for the next page. */
  readonly continuesAfter?: boolean;
  /** Whether its body takes \`attachments\`. */
  readonly takesAttachments?: boolean;
  /** Whether its body takes a \`client_id\`, which makes a repeat safe. */
  readonly takesClientId?: boolean;
}

/** Every route by its resource and method, in few characters: \`a\` takes attachments, \`c\` a client_id, \`e\` continues after. */
const routes = {
${clientRoutes.map(routeText).join('')}} as const;

/** The name of a route: resource and method. */
export type RouteName = keyof typeof routes;

/** The names of all routes. */
export const routeNames = Object.keys(routes) as RouteName[];

/** A route by its name. */
export function readRoute(name: RouteName): Route {
  const [method, path, flags = ''] = routes[name].split(' ') as [Route['method'], string, string?];
  const has = (flag: string) => flags.includes(flag);
  return { method, path, takesAttachments: has('a'), takesClientId: has('c'), continuesAfter: has('e') };
}

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
  const { name, method, path } = route;
  const flags = [
    route.takesAttachments ? 'a' : '',
    route.takesClientId ? 'c' : '',
    route.continuesAfter ? 'e' : '',
  ].join('');
  return `  ${literalText(name)}: ${literalText([method, path, flags].join(' ').trimEnd())},\n`;
}

function answerText(type: string): string {
  return type === 'null' ? 'void' : type;
}

function errorCodesText({ name, codes }: ClientRoute): string {
  const common: readonly ErrorCode[] = commonErrorCodes;
  const own = codes.filter((code) => !common.includes(code)).map(literalText);
  return `  ${literalText(name)}:${spaced(own.length === 0 ? 'never' : unionText(own, '  '))};\n`;
}
