import type { APIPromise } from '../api-promise.ts';
import type {
  CreateDomain,
  CreateSubdomain,
  Domain,
  DomainPage,
  ListDomains,
  SetDmarcPolicy,
} from '../generated/types.ts';
import type { PagePromise } from '../page.ts';
import type { RequestOptions } from '../request.ts';
import { Resource } from './resource.ts';

/** Sending domains of the workspace. */
export class Domains extends Resource {
  /**
   * Adds a custom domain and gives the DNS records to publish.
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
   * Gets a domain with its records and what was found of them.
   *
   * @example
   * const domain = await client.domains.get('dom_01m7z2h4myefgtxva99ef6d5ws');
   * console.log(domain.status, domain.records);
   */
  get(id: string, options?: RequestOptions): APIPromise<Domain> {
    return this.caller.call('domains.get', { id }, options);
  }

  /**
   * Deletes a domain that no inbox uses.
   *
   * @example
   * await client.domains.delete('dom_01m7z2h4myefgtxva99ef6d5ws');
   */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('domains.delete', { id }, options);
  }

  /**
   * Checks the DNS records now.
   *
   * @example
   * const domain = await client.domains.verify('dom_01m7z2h4myefgtxva99ef6d5ws');
   * if (domain.status !== 'verified') console.log(domain.records.filter(({ status }) => status !== 'verified'));
   */
  verify(id: string, options?: RequestOptions): APIPromise<Domain> {
    return this.caller.call('domains.verify', { id }, options);
  }

  /**
   * Sets the DMARC policy; without one it moves up a step.
   *
   * @example
   * await client.domains.dmarc('dom_01m7z2h4myefgtxva99ef6d5ws', { policy: 'quarantine' });
   */
  dmarc(id: string, params: SetDmarcPolicy = {}, options?: RequestOptions): APIPromise<Domain> {
    return this.caller.call('domains.dmarc', { id, body: params }, options);
  }

  /**
   * Provisions a subdomain of the service with its DNS set up.
   *
   * @example
   * const domain = await client.domains.subdomain({ label: 'acme' });
   * console.log(domain.hostname);
   */
  subdomain(params: CreateSubdomain, options?: RequestOptions): APIPromise<Domain> {
    return this.caller.call('domains.subdomain', { body: params }, options);
  }
}
