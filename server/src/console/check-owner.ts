import { contract, listRoutes } from '@postrider/contract';
import { ownerOnlyApiRoutes } from '@postrider/contract/console';
import type { AppRoute } from '@ts-rest/core';
import type { Request, RequestHandler } from 'express';
import { appendAudit } from '../audit/append-audit.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { auditActorOf } from '../people/members.ts';
import { memberOf } from './signed-in.ts';

/** What owners do by routes of the API, as the audit log names it. */
const actions = new Map(
  listRoutes(contract).flatMap(({ name, route }) => {
    const action = ownerOnlyApiRoutes[name as keyof typeof ownerOnlyApiRoutes];
    return action === undefined ? [] : [[route, action] as const];
  }),
);

/** The fields of a body that the audit log shows. Others may be secrets. */
const shownFields = ['hostname', 'label', 'policy', 'url', 'events', 'inbox_ids', 'enabled'];

/**
 * Keeps members from the routes of the API that only owners may call, and records what owners did. It decides by the route that was
 * matched, because paths can be spelt in several ways.
 */
export function checkOwner(deps: Pick<Deps, 'db' | 'clock' | 'background' | 'log'>): RequestHandler {
  return (req, res, next) => {
    const action = actions.get((req as unknown as { tsRestRoute: AppRoute }).tsRestRoute);
    if (action === undefined) return next();
    const member = memberOf(res);
    if (member.role !== 'owner') throw new ApiError('owner_only');
    res.once('finish', () => {
      if (res.statusCode >= 300) return;
      const act = { action, target: targetOf(req), after: shownOf(req.body) };
      const recorded = inTransaction(deps, (tx) =>
        appendAudit(tx, member.workspaceId, auditActorOf(member), act),
      );
      deps.background.run(
        recorded.catch((error: unknown) => deps.log.error({ err: error, act }, 'an act was not recorded')),
      );
    });
    next();
  };
}

function targetOf({ params }: Request): string | null {
  return typeof params.id === 'string' ? params.id : null;
}

function shownOf(body: unknown): Record<string, unknown> | null {
  if (typeof body !== 'object' || body === null) return null;
  const shown = Object.entries(body).filter(([name]) => shownFields.includes(name));
  return shown.length === 0 ? null : Object.fromEntries(shown);
}
