import { contract, type Domain, type ListDomains } from '@postrider/contract';
import { type Context, contextOf } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { decodeCursor, type Page, pageOf } from '../lib/cursor.ts';
import { defineRoutes } from '../routes.ts';
import { deleteDomain, setDmarcPolicy } from './change-domain.ts';
import { verifyDomain } from './check-domain.ts';
import { createDomain } from './create-domain.ts';
import { viewDomain } from './domain.view.ts';
import { type DomainRow, getDomain } from './find-domain.ts';
import { findReportedMail } from './reports/reported-mail.ts';
import { createSubdomain } from './subdomain.ts';

async function showAll(ctx: Context, rows: DomainRow[]): Promise<Domain[]> {
  const reported = await findReportedMail(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => viewDomain(ctx, row, reported.get(row.id)));
}

async function show(ctx: Context, row: DomainRow): Promise<Domain> {
  return viewDomain(ctx, row, (await findReportedMail(ctx, [row.id])).get(row.id));
}

/** Handlers of `/domains`. */
export const domainsRoutes = defineRoutes(contract.domains, {
  create: async ({ body, res }) => {
    const ctx = contextOf(res);
    return { status: 201, body: viewDomain(ctx, await createDomain(ctx, body), undefined) };
  },
  list: async ({ query, res }) => {
    const ctx = contextOf(res);
    const { rows, nextCursor } = await listDomains(ctx, query);
    return { status: 200, body: { domains: await showAll(ctx, rows), next_cursor: nextCursor } };
  },
  get: async ({ params, res }) => {
    const ctx = contextOf(res);
    return { status: 200, body: await show(ctx, await getDomain(ctx, params.id)) };
  },
  delete: async ({ params, res }) => {
    await deleteDomain(contextOf(res), params.id);
    return { status: 204, body: undefined };
  },
  verify: async ({ params, res }) => {
    const ctx = contextOf(res);
    return { status: 200, body: await show(ctx, await verifyDomain(ctx, params.id)) };
  },
  dmarc: async ({ params, body, res }) => {
    const ctx = contextOf(res);
    return { status: 200, body: await show(ctx, await setDmarcPolicy(ctx, params.id, body)) };
  },
  subdomain: async ({ body, res }) => {
    const ctx = contextOf(res);
    return { status: 201, body: viewDomain(ctx, await createSubdomain(ctx, body), undefined) };
  },
});

/** Returns a page of the caller's domains, newest first. */
async function listDomains(ctx: Context, query: ListDomains): Promise<Page<DomainRow>> {
  let rows = scoped(ctx)
    .selectFrom('domains')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.cursor) rows = rows.where('id', '<', decodeCursor(query.cursor, 1)[0] ?? '');
  return pageOf(await rows.execute(), query.limit, (row) => [row.id]);
}
