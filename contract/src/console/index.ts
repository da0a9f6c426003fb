/*
 * The contract of the console's own API, below `/console/api`. It is never in openapi.json: pages of this server's own version call it.
 * Programs of people call parts of it as the management API (`management/`), behind a token. Everything that keys can do is below
 * `/console/api/v1`, which is the router of the API.
 */
import { type AppRoute, initContract } from '@ts-rest/core';
import { brand } from '../brand.ts';
import { adminTokens } from './admin-tokens.ts';
import { approvalLinks, approvals } from './approvals.ts';
import { workspace } from './audit.ts';
import { control } from './control.ts';
import { keys } from './keys.ts';
import { mail } from './mail.ts';
import { passkeys } from './passkeys.ts';
import { people } from './people.ts';
import { records } from './records.ts';
import { me, session } from './session.ts';

/** The path of the pages. */
export const consolePath = '/console';

/** The path below which the console's own routes are, and the API's at `/v1` of it. */
export const consoleApiPath = '/console/api';

/** The header that every request of the console has, so that no page of another origin can make one. */
export const consoleHeader = brand.headers.console;

/** The header that names the workspace of a request. */
export const workspaceHeader = brand.headers.workspace;

/** The subprotocol of the realtime socket that names the workspace, before its id. */
export const workspaceProtocolPrefix = 'workspace.';

/** All routes of the console by resource and method. */
export const consoleContract = initContract().router(
  {
    session,
    me,
    passkeys,
    keys,
    adminTokens,
    people,
    workspace,
    control,
    records,
    mail,
    approvals,
    approvalLinks,
  },
  { pathPrefix: consoleApiPath, strictStatusCodes: true },
);

/** Returns whether only owners of the workspace may call a route of the console. */
export function isOwnerOnly({ metadata }: Pick<AppRoute, 'metadata'>): boolean {
  return typeof metadata === 'object' && metadata !== null && 'ownerOnly' in metadata;
}

/** The routes of the API that only owners of a workspace may call in the console. */
export const ownerOnlyApiRoutes = [
  'inboxes.delete',
  'domains.create',
  'domains.delete',
  'domains.dmarc',
  'domains.subdomain',
  'webhooks.create',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.rotateSecret',
] as const;

export * from './admin-tokens.ts';
export * from './approvals.ts';
export * from './audit.ts';
export * from './changes.ts';
export * from './control.ts';
export * from './errors.ts';
export * from './fields.ts';
export * from './keys.ts';
export * from './mail.ts';
export * from './passkeys.ts';
export * from './people.ts';
export * from './records.ts';
export * from './session.ts';
