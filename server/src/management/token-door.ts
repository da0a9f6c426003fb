/* The door of the management API: who calls, which workspace is meant, and which right the route needs. */
import { workspaceHeader } from '@postrider/contract/console';
import { isForOperator, rightsFor } from '@postrider/contract/management';
import type { AppRoute } from '@ts-rest/core';
import type { Request, Response } from 'express';
import {
  authenticateToken,
  findManagedWorkspace,
  type ManagedWorkspace,
  type TokenCaller,
} from '../admin-tokens/authenticate-token.ts';
import { readDevice } from '../console/signed-in.ts';
import type { Context } from '../context.ts';
import type { Deps } from '../deps.ts';
import { readRequestId, type Step } from '../http/begin-request.ts';
import { createKeyGate, readRights } from '../http/callers.ts';
import { ApiError, invalidField, notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import type { ManagerContext } from '../people/person-context.ts';

/**
 * Puts the contexts of the caller on the response, or responds with 401 before the body is read. A token of the operator that names no
 * workspace has a context without rows, in which it is limited like a workspace. A request that names an unknown workspace counts like
 * any other of its token; `requireRight` refuses it.
 */
export function requireToken(deps: Deps): Step {
  const gateFor = createKeyGate();
  return (req, res) => {
    const gate = gateFor(() => req.ip ?? '');
    return readRights(res, async () => {
      const caller = await authenticateToken(deps, req.headers.authorization, gate);
      const workspace = await findWorkspace(deps, caller, req);
      Object.assign(res.locals, openContexts(deps, { req, res, caller, workspace }));
    });
  };
}

interface TokenLocals {
  tokenCaller: TokenCaller;
  context: Context;
  manager: ManagerContext | undefined;
  /** Whether the request names a workspace that the token does not manage. */
  isUnknown: boolean;
}

/** Returns the workspace of a request; null if a token of the operator names none, and undefined if the token does not manage it. */
async function findWorkspace(
  deps: Deps,
  { workspace }: TokenCaller,
  req: Request,
): Promise<ManagedWorkspace | null | undefined> {
  const named = req.get(workspaceHeader);
  if (named === undefined || named === workspace?.id) return workspace;
  if (workspace || !isId('wsp', named)) return undefined;
  return (await findManagedWorkspace(deps, named)) ?? undefined;
}

interface OpenedRequest {
  req: Request;
  res: Response;
  caller: TokenCaller;
  workspace: ManagedWorkspace | null | undefined;
}

function openContexts(deps: Deps, { req, res, caller, workspace }: OpenedRequest): TokenLocals {
  const { token, personId } = caller;
  const requestId = readRequestId(res);
  const device = readDevice(req);
  const ofToken = caller.workspace ?? { id: token.id, plan: 'business', isTest: false };
  const { id: workspaceId, plan, isTest } = workspace ?? ofToken;
  const actor = { kind: 'token' as const, id: token.id };
  return {
    tokenCaller: caller,
    context: {
      ...deps,
      workspaceId,
      plan,
      isTest,
      scope: wholeWorkspace,
      actor,
      requestId,
      clientAddress: device.address,
    },
    manager: workspace ? { ...deps, workspaceId, isTest, personId, device, requestId, token } : undefined,
    isUnknown: workspace === undefined,
  };
}

/**
 * Lets a request pass if its token has the right that the route needs, and if the request is about one workspace of the token, or about all
 * of them with a token of the operator. It decides by the route that was matched, because paths can be spelt in several ways.
 */
export const requireRight: Step = (req, res) => {
  const { tokenCaller, manager, isUnknown } = res.locals as TokenLocals;
  if (isUnknown) throw notFound(workspaceHeader);
  const route = (req as unknown as { tsRestRoute: AppRoute }).tsRestRoute;
  const rights = rightsFor(route);
  const [right] = rights;
  if (right === undefined) throw notFound(null);
  if (!rights.some((one) => tokenCaller.token.rights.includes(one)))
    throw new ApiError('right_missing', { right });
  if (isForOperator(route)) return requireOperator(tokenCaller);
  if (!manager)
    throw invalidField(
      workspaceHeader,
      'is missing: a token of the operator names the workspace in this header',
    );
};

function requireOperator({ workspace }: TokenCaller): void {
  if (!workspace) return;
  const message =
    'Only a token of the operator can manage workspaces. Use one that was created on the command line of this server.';
  throw new ApiError('right_missing', { right: 'workspaces' }, { message });
}
