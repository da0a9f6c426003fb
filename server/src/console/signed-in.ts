import { listRoutes } from '@postrider/contract';
import {
  changesPath,
  consoleApiPath,
  consoleContract,
  consolePath,
  isOwnerOnly,
  workspaceHeader,
  workspaceProtocolPrefix,
} from '@postrider/contract/console';
import type { AppRoute } from '@ts-rest/core';
import type { Request, RequestHandler, Response } from 'express';
import type { Context } from '../context.ts';
import type { Deps } from '../deps.ts';
import { readRequestId } from '../http/begin-request.ts';
import { readRights } from '../http/callers.ts';
import { ApiError, notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import type { Device, ManagerContext, MemberContext, PersonContext } from '../people/person-context.ts';
import { type FoundSession, findSession } from '../people/sessions/find-session.ts';
import { readCookie } from './cookies.ts';

/** Returns the device of a request. */
export function readDevice(req: Request): Device {
  return { userAgent: req.get('user-agent') ?? null, address: req.ip ?? null };
}

/** Puts the person of the request on the response, and the context of the workspace if the person is in it. */
export function readSession(deps: Deps): RequestHandler {
  return async (req, res, next) => {
    await readRights(res, async () => {
      const token = readCookie(req, 'session');
      const session = token === null ? null : await findSession(deps, token, readWorkspaceId(req));
      Object.assign(res.locals, openContexts(deps, { req, res, session }));
    });
    next();
  };
}

/** Returns a function that tells whether a request has the session of a person. */
export function hasSession(deps: Deps): (req: Request) => Promise<boolean> {
  return async (req) => {
    const token = readCookie(req, 'session');
    return token !== null && (await findSession(deps, token, null)) !== null;
  };
}

interface Contexts {
  person: PersonContext | undefined;
  member: MemberContext | undefined;
  context: Context | undefined;
}

function openContexts(
  deps: Deps,
  { req, res, session }: { req: Request; res: Response; session: FoundSession | null },
): Contexts {
  if (!session) return { person: undefined, member: undefined, context: undefined };
  const { personId, sessionId, email, workspace } = session;
  const requestId = readRequestId(res);
  const device = readDevice(req);
  const person = { ...deps, personId, sessionId, email, device, requestId };
  if (!workspace) return { person, member: undefined, context: undefined };
  const { id: workspaceId, role, isTest, plan } = workspace;
  const actor = { kind: 'person' as const, id: personId, sessionId };
  const caller = { workspaceId, plan, isTest, scope: wholeWorkspace, actor, requestId };
  return {
    person,
    member: { ...person, workspaceId, role, isTest },
    context: { ...deps, ...caller, clientAddress: device.address },
  };
}

/** Returns the context of the person who is signed in. @throws ApiError `not_signed_in`. */
export function signedInPerson(res: Pick<Response, 'locals'>): PersonContext {
  const person = res.locals.person as PersonContext | undefined;
  if (!person) throw new ApiError('not_signed_in');
  return person;
}

/**
 * Returns the context of the person in the workspace of the request.
 *
 * @throws ApiError `not_signed_in`, or `not_found` for a workspace that the person is not in.
 */
export function signedInMember(res: Pick<Response, 'locals'>): MemberContext {
  signedInPerson(res);
  const member = res.locals.member as MemberContext | undefined;
  if (!member) throw notFound(workspaceHeader);
  return member;
}

/**
 * Returns the context of the caller who manages the workspace of the request: a person in the console, or an admin token.
 *
 * @throws ApiError as `signedInMember`.
 */
export function readManager(res: Pick<Response, 'locals'>): ManagerContext {
  return (res.locals.manager as ManagerContext | undefined) ?? signedInMember(res);
}

/** Lets only people in the workspace pass. */
export const requireMember: RequestHandler = (_req, res, next) => {
  signedInMember(res);
  next();
};

/** Returns the workspace that a request names; null if it names none that could exist. */
function readWorkspaceId(req: Request): string | null {
  const named = namedWorkspace(req);
  return isId('wsp', named) ? named : null;
}

/** The workspace is in a header; for sockets in a subprotocol, for the stream of changes in the query, and for frames in the path. */
function namedWorkspace(req: Request): string | null {
  const named = req.get(workspaceHeader);
  if (named !== undefined) return named;
  const protocols = req.get('sec-websocket-protocol')?.split(',') ?? [];
  const protocol = protocols.map((one) => one.trim()).find((one) => one.startsWith(workspaceProtocolPrefix));
  if (protocol !== undefined) return protocol.slice(workspaceProtocolPrefix.length);
  if (req.originalUrl.startsWith(`${consoleApiPath}${changesPath}?`)) return String(req.query.workspace);
  return new RegExp(`^${consolePath}/mail/(wsp_[0-9a-z]{26})/`).exec(req.originalUrl)?.[1] ?? null;
}

/** Routes about people or links and not about a workspace. Their handlers ask for the person themselves. */
const personal = ['session', 'me', 'passkeys', 'approvalLinks'];
const ofWorkspace = new Map(
  listRoutes(consoleContract)
    .filter(({ resource }) => !personal.includes(resource))
    .map(({ route }) => [route, isOwnerOnly(route)]),
);

/** Checks, before the handler, whether the caller may call one of the console's own routes. */
export const checkCaller: RequestHandler = (req, res, next) => {
  const isForOwners = ofWorkspace.get((req as unknown as { tsRestRoute: AppRoute }).tsRestRoute);
  if (isForOwners === undefined) return next();
  if (signedInMember(res).role !== 'owner' && isForOwners) throw new ApiError('owner_only');
  next();
};
