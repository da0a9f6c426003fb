import type { APIPromise } from '../calls/api-promise.ts';
import type { PagePromise } from '../calls/page.ts';
import type { RequestOptions } from '../calls/request.ts';
import type {
  CreateDomain,
  CreateSubdomain,
  Domain,
  DomainPage,
  ListDomains,
  SetDmarcPolicy,
} from '../generated/types.ts';
import { Resource } from './resource.ts';

/** Sending domains of the workspace. */
export class Domains extends Resource {
  /**
   * Adds a custom domain and returns it with the DNS records to publish. Throws an `APIError` with
   * `custom_domains_require_paid_plan` or `domain_taken`.
   *
   * @example
   * const domain = await client.domains.create({ hostname: 'mail.example.com' });
   * for (const { type, name, value } of domain.records) console.log(type, name, value);
   */
  create(params: CreateDomain, options?: RequestOptions): APIPromise<Domain> {
    return this.caller.call('domains.create', { body: params }, options);
  }

  /**
   * Lists the domains of the workspace, newest first.
   *
   * @example
   * for await (const domain of client.domains.list()) console.log(domain.hostname, domain.status);
   */
  list(query?: ListDomains, options?: RequestOptions): PagePromise<DomainPage> {
    return this.caller.list('domains.list', { query }, options);
  }

  /**
   * Returns a domain with its DNS records and the result of the last check of each.
   *
   * @example
   * const domain = await client.domains.get('dom_01m7z2h4myefgtxva99ef6d5ws');
   * console.log(domain.status, domain.records);
   */
  get(id: string, options?: RequestOptions): APIPromise<Domain> {
    return this.caller.call('domains.get', { id }, options);
  }

  /**
   * Deletes a domain. Throws an `APIError` with `domain_in_use` while inboxes use it.
   *
   * @example
   * await client.domains.delete('dom_01m7z2h4myefgtxva99ef6d5ws');
   */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('domains.delete', { id }, options);
  }

  /**
   * Checks the DNS records now and returns the domain with the result.
   *
   * @example
   * const domain = await client.domains.verify('dom_01m7z2h4myefgtxva99ef6d5ws');
   * if (domain.status !== 'verified') console.log(domain.records.filter(({ status }) => status !== 'verified'));
   */
  verify(id: string, options?: RequestOptions): APIPromise<Domain> {
    return this.caller.call('domains.verify', { id }, options);
  }

  /**
   * Sets the DMARC policy (RFC 7489) and returns the domain. Without `policy`, the policy becomes one step
   * stricter.
   *
   * @example
   * await client.domains.dmarc('dom_01m7z2h4myefgtxva99ef6d5ws', { policy: 'quarantine' });
   */
  dmarc(id: string, params: SetDmarcPolicy = {}, options?: RequestOptions): APIPromise<Domain> {
    return this.caller.call('domains.dmarc', { id, body: params }, options);
  }

  /**
   * Provisions a subdomain of the service, including its DNS. Throws an `APIError` with
   * `dedicated_subdomain_requires_scale` or `domain_taken`.
   *
   * @example
   * const domain = await client.domains.subdomain({ label: 'acme' });
   * console.log(domain.hostname);
   */
  subdomain(params: CreateSubdomain, options?: RequestOptions): APIPromise<Domain> {
    return this.caller.call('domains.subdomain', { body: params }, options);
  }
}
