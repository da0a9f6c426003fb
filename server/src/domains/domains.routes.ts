import { contract } from '@postrider/contract';
import { contextOf } from '../context.ts';
import { defineRoutes } from '../routes.ts';
import { createDomain } from './create-domain.ts';
import { createSubdomain } from './create-subdomain.ts';
import { deleteDomain } from './delete-domain.ts';
import { viewDomain } from './domain.view.ts';
import { getDomain } from './find-domain.ts';
import { listDomains } from './list-domains.ts';
import { setDmarcPolicy } from './set-dmarc-policy.ts';
import { verifyDomain } from './verify-domain.ts';

/** Handlers of `/domains`. */
export const domainsRoutes = defineRoutes(contract.domains, {
  create: async ({ body, res }) => {
    const ctx = contextOf(res);
    return { status: 201, body: viewDomain(ctx, await createDomain(ctx, body)) };
  },
  list: async ({ query, res }) => {
    const ctx = contextOf(res);
    const { rows, nextCursor } = await listDomains(ctx, query);
    return {
      status: 200,
      body: { domains: rows.map((row) => viewDomain(ctx, row)), next_cursor: nextCursor },
    };
  },
  get: async ({ params, res }) => {
    const ctx = contextOf(res);
    return { status: 200, body: viewDomain(ctx, await getDomain(ctx, params.id)) };
  },
  delete: async ({ params, res }) => {
    await deleteDomain(contextOf(res), params.id);
    return { status: 204, body: undefined };
  },
  verify: async ({ params, res }) => {
    const ctx = contextOf(res);
    return { status: 200, body: viewDomain(ctx, await verifyDomain(ctx, params.id)) };
  },
  dmarc: async ({ params, body, res }) => {
    const ctx = contextOf(res);
    return { status: 200, body: viewDomain(ctx, await setDmarcPolicy(ctx, params.id, body)) };
  },
  subdomain: async ({ body, res }) => {
    const ctx = contextOf(res);
    return { status: 201, body: viewDomain(ctx, await createSubdomain(ctx, body)) };
  },
});
