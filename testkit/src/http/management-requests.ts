import type { AdminRight } from '@postrider/contract';
import { consoleLimits, workspaceHeader } from '@postrider/contract/console';
import { type managementContract, managementPath } from '@postrider/contract/management';
import { createOperatorToken, createToken } from '../../../server/src/admin-tokens/manage-tokens.ts';
import type { MemberContext } from '../../../server/src/people/person-context.ts';
import type { TestServer, TestWorkspace } from '../servers/test-server.ts';
import { makePerson } from './console-browser.ts';
import { consoleRequests } from './console-requests.ts';
import { type PlainAnswer, type PlainRequest, requestPlainly } from './plain-request.ts';
import { type Named, type RouteRequest, routeRequests } from './route-requests.ts';

type Contract = typeof managementContract;
/** The name of a route of the management API. */
export type ManagementRoute = {
  [Resource in keyof Contract]: `${Resource}.${keyof Contract[Resource] & string}`;
}[keyof Contract];

/** All rights of admin tokens. */
export const allRights: AdminRight[] = [
  'keys',
  'policies',
  'pauses',
  'approvals',
  'people',
  'webhooks',
  'domains',
  'usage',
  'workspaces',
];

/** A token of a test, with the person for whom it acts. */
export interface TestToken {
  id: string;
  token: string;
  personId: string;
}

interface TokenOptions {
  rights?: AdminRight[];
  workspace?: Pick<TestWorkspace, 'id'>;
  /** By default a new owner. */
  personId?: string;
}

/** Creates an admin token of a workspace. */
export async function makeToken(
  test: TestServer,
  { rights = allRights, workspace = test, personId }: TokenOptions = {},
): Promise<TestToken> {
  const maker = personId ?? (await makePerson(test, 'owner', workspace)).id;
  const ctx = {
    ...test.server.deps,
    workspaceId: workspace.id,
    personId: maker,
    device: { userAgent: null, address: null },
    requestId: null,
  } as unknown as MemberContext;
  const { id, token } = await createToken(ctx, { name: 'test', rights, expires_at: inAnHour() });
  return { id, token, personId: maker };
}

/** Creates an admin token of the operator. */
export async function makeOperatorToken(test: TestServer, rights = allRights): Promise<string> {
  const input = { name: 'operator', rights, expires_at: inAnHour() };
  return (await createOperatorToken(test.server.deps, input)).token;
}

function inAnHour(): string {
  return new Date(Date.now() + Math.min(3_600_000, consoleLimits.adminTokenMs)).toISOString();
}

/** Sends a request to a path below `/manage/v1`. */
export function manage(
  test: Pick<TestServer, 'url'>,
  token: string | null,
  path: string,
  { workspace, headers, ...request }: PlainRequest & { workspace?: string } = {},
): Promise<PlainAnswer> {
  return requestPlainly(fetch, test.url + managementPath + path, {
    ...request,
    key: token,
    headers: { ...(workspace !== undefined && { [workspaceHeader]: workspace }), ...headers },
  });
}

const decision = consoleRequests['approvals.decide']?.body;

/** The requests that differ from those of the console and of the API, or that these do not have. */
const own: { [Name in ManagementRoute]?: RouteRequest } = {
  'usage.get': () => ({ query: { days: '7' } }),
  'approvals.decide': () => ({ body: { ...decision, decided_by: 'Ada' } }),
  'workspaces.list': () => ({}),
  'workspaces.create': () => ({ body: { name: 'customer-1' } }),
  'workspaces.get': () => ({ path: { id: 'wsp_01m8h5s25zeam9gvxh9rynrznw' } }),
  'workspaces.delete': () => ({ path: { id: 'wsp_01m8h5s25zeam9gvxh9rynrznw' } }),
  'workspaces.update': () => ({ path: { id: 'wsp_01m8h5s25zeam9gvxh9rynrznw' }, body: { plan: 'free' } }),
};

function ofConsole(name: ManagementRoute): RouteRequest {
  const request = consoleRequests[name];
  if (!request) throw new Error(`${name} has no request in the harness: say there which ids it takes.`);
  const { id = 'usr_01m8h5s27cejv9y1h5qvcd3xzk', named, level = '', body, query } = request;
  return (idOf) => ({
    path: { level, id: named ? idOf(named) : id },
    ...(query && { query: Object.fromEntries(new URLSearchParams(query)) }),
    ...(body && { body }),
  });
}

/** Returns a valid request for a route of the management API, with its path filled in. */
export function managementRequest(
  name: ManagementRoute,
  routePath: string,
  id: (named: Named) => string,
): { path: string; body?: object } {
  const { path = {}, query, body } = (own[name] ?? routeRequests[name] ?? ofConsole(name))(id);
  const filled = routePath.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(path[key] ?? ''));
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return { path: filled.slice(managementPath.length) + search, ...(body && { body }) };
}
