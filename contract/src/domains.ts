import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { answers } from './answers.ts';
import { brand } from './brand.ts';
import { Hostname } from './fields/recipients.ts';
import { about, idField, NextCursor, NoFields, pageQuery, pathId, timestamp } from './fields/scalars.ts';

const c = initContract();

/** The action that receivers should take on mail that fails DMARC. */
export const DmarcPolicy = z
  .enum(['none', 'quarantine', 'reject'])
  .meta({ id: 'DmarcPolicy', ...about('How receivers should treat mail that fails DMARC.', 'quarantine') });
export type DmarcPolicy = z.infer<typeof DmarcPolicy>;

/** A DNS record to publish. */
export const DnsRecord = z
  .object({
    type: z.string().meta(about('The type of the record.', 'TXT')),
    name: z.string().meta(about('The full name of the record.', '_dmarc.example.com')),
    value: z.string().meta(about('The value to publish.', 'v=DMARC1; p=quarantine')),
    priority: z.int().nullable().meta(about('The priority of an MX record.', 10)),
    purpose: z
      .enum(['ownership', 'dkim', 'spf', 'dmarc', 'mail_from', 'inbound'])
      .meta(about('The purpose of the record.', 'dmarc')),
    status: z
      .enum(['pending', 'verified', 'failed'])
      .meta(about('The result of the last check.', 'verified')),
    found: z
      .string()
      .nullable()
      .meta(
        about(
          'The published value; null if there is none. If there are several, this is the one closest to `value`. Characters that change ' +
            'the direction of text are shown as code points, such as `[U+202E]`.',
          'v=DMARC1; p=none',
        ),
      ),
    hint: z
      .string()
      .nullable()
      .meta(
        about(
          'The problem, the name server of the last check, and the time of the next check; for DMARC, also the reports of receivers. ' +
            'Null if everything is in order.',
          'a weaker policy than p=quarantine: v=DMARC1; p=none; asked ns1.example.com (192.0.2.53) at 2026-11-20T09:30:00.000Z',
        ),
      ),
  })
  .meta({ id: 'DnsRecord', description: 'A DNS record to publish.' });
export type DnsRecord = z.infer<typeof DnsRecord>;

/** A sending domain of the workspace. */
export const Domain = z
  .object({
    id: idField('domain', 'The domain.'),
    hostname: z.string().meta(about('The domain as ASCII.', 'example.com')),
    kind: z
      .enum(['byo', 'subdomain'])
      .meta(
        about(
          '`byo`: your own domain. `subdomain`: a subdomain of the service, whose DNS the service sets up.',
          'byo',
        ),
      ),
    status: z
      .enum(['pending', 'verifying', 'verified', 'failed'])
      .meta(
        about('Whether the DNS records were found. Only a verified domain can have inboxes.', 'verified'),
      ),
    dmarc_policy: DmarcPolicy,
    mail_from_domain: z
      .string()
      .meta(about('The domain in the return paths of its mail.', 'bounce.example.com')),
    records: z.array(DnsRecord).meta({ description: 'The DNS records to publish.' }),
    verified_at: timestamp('When all records were first found.').nullable(),
    created_at: timestamp('When the domain was added.'),
  })
  .meta({ id: 'Domain', description: 'A sending domain of the workspace.' });
export type Domain = z.infer<typeof Domain>;

/** Body of `domains.create`. */
export const CreateDomain = z
  .strictObject({ hostname: Hostname.meta(about('The domain to add.', 'example.com')) })
  .meta({ id: 'CreateDomain' });
export type CreateDomain = z.infer<typeof CreateDomain>;

/** Body of `domains.subdomain`. */
export const CreateSubdomain = z
  .strictObject({
    label: z
      .string()
      .overwrite((text) => text.toLowerCase())
      .regex(/^(?!..--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, {
        error:
          'must be 1 to 63 of a-z, 0-9 and hyphen, with no hyphen at either end or as the third and fourth character',
      })
      .meta(about(`The label before \`.${brand.defaults.mailDomain}\`; lowercased automatically.`, 'acme')),
  })
  .meta({ id: 'CreateSubdomain' });
export type CreateSubdomain = z.infer<typeof CreateSubdomain>;

/** Body of `domains.dmarc`. */
export const SetDmarcPolicy = z
  .strictObject({
    policy: DmarcPolicy.optional().meta({ description: 'The policy; by default, the next stricter one.' }),
  })
  .default({})
  .meta({ id: 'SetDmarcPolicy' });
export type SetDmarcPolicy = z.infer<typeof SetDmarcPolicy>;

/** A page of domains. */
export const DomainPage = z
  .object({ domains: z.array(Domain), next_cursor: NextCursor })
  .meta({ id: 'DomainPage', description: 'Domains, newest first.' });
export type DomainPage = z.infer<typeof DomainPage>;

/** Query of `domains.list`. */
export const ListDomains = z.strictObject(pageQuery);
export type ListDomains = z.infer<typeof ListDomains>;

const pathParams = pathId('domain', 'The domain.');

/** Routes of domains. */
export const domains = c.router({
  create: {
    method: 'POST',
    path: '/domains',
    summary: 'Add a custom domain',
    description: 'Returns the DNS records to publish. Requires the Pro plan or higher.',
    body: CreateDomain,
    responses: {
      201: Domain,
      ...answers('custom_domains_require_paid_plan', 'domain_taken', 'limit_reached'),
    },
  },
  list: {
    method: 'GET',
    path: '/domains',
    summary: 'List domains',
    description: 'Lists the domains of the workspace, newest first.',
    query: ListDomains,
    responses: { 200: DomainPage, ...answers() },
  },
  get: {
    method: 'GET',
    path: '/domains/:id',
    summary: 'Get a domain',
    description: 'Returns one domain with its records and the results of the last check.',
    pathParams,
    responses: { 200: Domain, ...answers() },
  },
  delete: {
    method: 'DELETE',
    path: '/domains/:id',
    summary: 'Delete a domain',
    description: 'A domain can be deleted only if no inbox uses it.',
    pathParams,
    responses: { 204: c.noBody(), ...answers('domain_in_use') },
  },
  verify: {
    method: 'POST',
    path: '/domains/:id/verify',
    summary: 'Check the DNS records now',
    description: 'Looks up the records again and returns the domain with the results.',
    pathParams,
    body: NoFields,
    responses: { 200: Domain, ...answers() },
  },
  dmarc: {
    method: 'POST',
    path: '/domains/:id/dmarc',
    summary: 'Change the DMARC policy',
    description:
      'The policies are none, quarantine and reject, from the weakest to the strictest. The policy can become stricter by one step ' +
      'at a time, and weaker by any number of steps. Without `policy`, it becomes one step stricter.',
    pathParams,
    body: SetDmarcPolicy,
    responses: { 200: Domain, ...answers() },
  },
  subdomain: {
    method: 'POST',
    path: '/domains/subdomain',
    summary: 'Provision a dedicated subdomain',
    description:
      'Creates a subdomain of the service, whose DNS the service sets up, with its own sending reputation. Requires the Scale plan or higher.',
    body: CreateSubdomain,
    responses: {
      201: Domain,
      ...answers('dedicated_subdomain_requires_scale', 'domain_taken', 'limit_reached'),
    },
  },
});
