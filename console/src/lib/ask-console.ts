import { brand } from '@postrider/contract/brand';
import type { consoleContract } from '@postrider/contract/console';
import type { ClientInferRequest, ClientInferResponseBody } from '@ts-rest/core';
import { ConsoleError, NoAnswerError } from './problem.ts';

/** The headers that say that a page of the console asks, and for which workspace. */
export const { headers } = brand;

/** A field of a request, which may be left out if `undefined` is one of its values. */
type Part<Request, Name extends string> = Request extends { [Key in Name]: infer Value }
  ? undefined extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value }
  : unknown;

type RequestOf<Name extends RouteName> = ClientInferRequest<RouteOf<Name>>;

/** The input of a route: its path parameters, its query and its body. */
export type Asked<Name extends RouteName> = Part<RequestOf<Name>, 'params'> &
  Part<RequestOf<Name>, 'query'> &
  Part<RequestOf<Name>, 'body'>;

type SuccessBody<Route> = Route extends { responses: infer Responses }
  ? 200 extends keyof Responses
    ? ClientInferResponseBody<Route & AnyRoute, 200>
    : 201 extends keyof Responses
      ? ClientInferResponseBody<Route & AnyRoute, 201>
      : 202 extends keyof Responses
        ? ClientInferResponseBody<Route & AnyRoute, 202>
        : null
  : never;

type AnyRoute = RouteOf<RouteName>;

/** The response of a route that succeeds; null if it has no body. */
export type Answer<Name extends RouteName> = SuccessBody<RouteOf<Name>>;

interface AskOptions {
  /** The id of the workspace; left out for routes about the person. */
  workspace?: string;
  signal?: AbortSignal;
}

const timeoutMs = 60_000;

/** Calls a route of the console's own API and returns the body of its response. Throws a `ConsoleError`, or else a `NoAnswerError`. */
export async function askConsole<Name extends RouteName>(
  name: Name,
  asked: Asked<Name>,
  { workspace, signal }: AskOptions = {},
): Promise<Answer<Name>> {
  const { params = {}, query = {}, body } = asked as LooseAsked;
  const [method = 'GET', pattern = ''] = consoleRoutes[name].split(' ');
  const sent: Record<string, string> = { accept: 'application/json', [headers.console]: '1' };
  if (workspace !== undefined) sent[headers.workspace] = workspace;
  if (body !== undefined) sent['content-type'] = 'application/json';
  const init: RequestInit = {
    method,
    headers: sent,
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
  };
  const { response, text } = await send(fillPath(pattern, params) + queryText(query), init, signal);
  const parsed = parse(text);
  if (response.ok) return parsed as Answer<Name>;
  const fields = typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  throw new ConsoleError(response.status, response.headers.get('x-request-id'), fields);
}

interface LooseAsked {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

async function send(url: string, init: RequestInit, signal: AbortSignal | undefined) {
  try {
    const response = await fetch(url, init);
    return { response, text: await response.text() };
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new NoAnswerError('No response came.', { cause });
  }
}

/** Returns the path with its parameters in place. */
export function fillPath(pattern: string, params: Record<string, string>): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** Returns a query with its `?`, without the fields that have no value; empty if no field has one. */
export function queryText(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function parse(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Contract = typeof consoleContract;

/** The name of a route of the console's own API, such as `keys.list`. */
export type RouteName = {
  [Resource in keyof Contract]: `${Resource}.${keyof Contract[Resource] & string}`;
}[keyof Contract];

/** The route of the contract with this name, as a type. */
export type RouteOf<Name extends RouteName> = Name extends `${infer Resource}.${infer Method}`
  ? Resource extends keyof Contract
    ? Method extends keyof Contract[Resource]
      ? Contract[Resource][Method]
      : never
    : never
  : never;

type Line<Route> = Route extends { method: infer Method extends string; path: infer Path extends string }
  ? `${Method} ${Path}`
  : never;

/** Method and path of each route. The contract itself is larger than all pages together. The type keeps this table equal to it. */
export const consoleRoutes: { [Name in RouteName]: Line<RouteOf<Name>> } = {
  'session.get': 'GET /console/api/session',
  'session.signIn': 'POST /console/api/session',
  'session.signOut': 'DELETE /console/api/session',
  'session.requestReset': 'POST /console/api/password-resets',
  'session.completeReset': 'POST /console/api/password-resets/complete',
  'session.showInvitation': 'POST /console/api/invitations/show',
  'session.acceptInvitation': 'POST /console/api/invitations/accept',
  'me.update': 'PATCH /console/api/me',
  'me.updateMembership': 'PATCH /console/api/me/workspaces/:id',
  'me.changePassword': 'POST /console/api/me/password',
  'me.sessions': 'GET /console/api/me/sessions',
  'me.endSession': 'DELETE /console/api/me/sessions/:id',
  'me.endOtherSessions': 'DELETE /console/api/me/sessions',
  'me.beginSecondFactor': 'POST /console/api/me/second-factor',
  'me.confirmSecondFactor': 'POST /console/api/me/second-factor/confirm',
  'me.removeSecondFactor': 'DELETE /console/api/me/second-factor',
  'passkeys.signInOptions': 'POST /console/api/session/passkey-options',
  'passkeys.signIn': 'POST /console/api/session/passkey',
  'passkeys.list': 'GET /console/api/me/passkeys',
  'passkeys.addOptions': 'POST /console/api/me/passkeys/options',
  'passkeys.add': 'POST /console/api/me/passkeys',
  'passkeys.remove': 'DELETE /console/api/me/passkeys/:id',
  'keys.list': 'GET /console/api/keys',
  'keys.create': 'POST /console/api/keys',
  'keys.update': 'PATCH /console/api/keys/:id',
  'keys.works': 'GET /console/api/keys/:id/works',
  'keys.revoke': 'POST /console/api/keys/:id/revoke',
  'adminTokens.list': 'GET /console/api/admin-tokens',
  'adminTokens.create': 'POST /console/api/admin-tokens',
  'adminTokens.revoke': 'POST /console/api/admin-tokens/:id/revoke',
  'people.members': 'GET /console/api/members',
  'people.setRole': 'PATCH /console/api/members/:id',
  'people.removeMember': 'DELETE /console/api/members/:id',
  'people.invitations': 'GET /console/api/invitations',
  'people.invite': 'POST /console/api/invitations',
  'people.revokeInvitation': 'DELETE /console/api/invitations/:id',
  'workspace.update': 'PATCH /console/api/workspace',
  'workspace.audit': 'GET /console/api/audit',
  'workspace.auditCheck': 'GET /console/api/audit/check',
  'workspace.auditExport': 'GET /console/api/audit/export',
  'control.get': 'GET /console/api/control',
  'control.setDisclosure': 'PATCH /console/api/control',
  'control.policies': 'GET /console/api/policies',
  'control.effective': 'GET /console/api/policies/effective',
  'control.setPolicy': 'PUT /console/api/policies/:level/:id',
  'control.pause': 'POST /console/api/pauses',
  'control.resume': 'POST /console/api/resumes',
  'records.requests': 'GET /console/api/requests',
  'records.events': 'GET /console/api/events',
  'records.decisions': 'GET /console/api/decisions',
  'records.unknownRecipients': 'GET /console/api/unknown-recipients',
  'records.deliveryBody': 'GET /console/api/deliveries/:id/body',
  'records.usage': 'GET /console/api/usage',
  'records.zoneFile': 'GET /console/api/domains/:id/zone',
  'records.doctor': 'GET /console/api/doctor',
  'mail.inboxes': 'GET /console/api/inboxes',
  'mail.threads': 'GET /console/api/threads',
  'approvals.list': 'GET /console/api/approvals',
  'approvals.get': 'GET /console/api/approvals/:id',
  'approvals.decide': 'POST /console/api/approvals/decide',
  'approvalLinks.show': 'POST /console/api/approval-link',
  'approvalLinks.decide': 'POST /console/api/approval-link/decide',
};
