import { CreateDomain } from '@postrider/contract';
import type { Domain } from 'postrider';
import * as z from 'zod';
import type { CallContext } from '../context.ts';
import { withId } from '../ids/find-meant.ts';
import { defineTool } from '../tool.ts';

const DomainView = z.object({
  domain_id: z.string(),
  hostname: z.string(),
  status: z.string(),
  records: z.array(
    z.object({
      type: z.string(),
      name: z.string(),
      value: z.string(),
      priority: z.int().optional(),
      status: z.string(),
      found: z.string().optional(),
      hint: z.string().optional(),
    }),
  ),
});

/** Anyone may have written the records that are found in DNS. */
function view({ fence }: CallContext, { id, hostname, status, records }: Domain): z.infer<typeof DomainView> {
  return {
    domain_id: id,
    hostname,
    status,
    records: records.map((one) => ({
      type: one.type,
      name: one.name,
      value: one.value,
      ...(one.priority !== null && { priority: one.priority }),
      status: one.status,
      ...(one.found !== null && one.status !== 'verified' && { found: fence.line(one.found) }),
      ...(one.hint !== null && { hint: fence.line(one.hint) }),
    })),
  };
}

export const addDomain = defineTool({
  name: 'add_domain',
  title: 'Add a domain',
  description:
    'Adds a domain to send from, and returns the DNS records to publish. Only if a person asked for it. Next: show them the records; later, get_domain.',
  effect: 'write',
  ofWorkspace: true,
  input: z.strictObject({ hostname: CreateDomain.shape.hostname.meta({ description: undefined }) }),
  output: DomainView,
  run: async (ctx, { hostname }) =>
    view(ctx, await ctx.client.domains.create({ hostname }, { signal: ctx.signal })),
});

export const getDomain = defineTool({
  name: 'get_domain',
  title: 'Look up a domain',
  description:
    'Returns a domain with its status and the DNS records that were found. Inboxes need a verified domain.',
  effect: 'read',
  ofWorkspace: true,
  openWorld: true,
  input: z.strictObject({ domain_id: z.string().meta({ description: 'Id or hostname.' }) }),
  output: DomainView,
  run: async (ctx, { domain_id }) => {
    const id = domain_id.includes('.') ? await findDomainId(ctx, domain_id) : domain_id;
    return withId(ctx, { kind: 'domain', id, writes: false }, async (one) =>
      view(ctx, await ctx.client.domains.get(one, { signal: ctx.signal })),
    );
  },
});

async function findDomainId({ client, signal }: CallContext, hostname: string): Promise<string> {
  for await (const domain of client.domains.list({ limit: 100 }, { signal }))
    if (domain.hostname === hostname.trim().toLowerCase()) return domain.id;
  return hostname;
}
