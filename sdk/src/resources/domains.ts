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
  /** Adds a custom domain and gives the DNS records to publish. */
  create(params: CreateDomain, options?: RequestOptions): APIPromise<Domain> {
    return this.caller.call('domains.create', { body: params }, options);
  }

  /** Lists the domains of the workspace, newest first. */
  list(query?: ListDomains, options?: RequestOptions): PagePromise<DomainPage> {
    return this.caller.list('domains.list', { query }, options);
  }

  /** Gets a domain with its records and what was found of them. */
  get(id: string, options?: RequestOptions): APIPromise<Domain> {
    return this.caller.call('domains.get', { id }, options);
  }

  /** Deletes a domain that no inbox uses. */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('domains.delete', { id }, options);
  }

  /** Checks the DNS records now. */
  verify(id: string, options?: RequestOptions): APIPromise<Domain> {
    return this.caller.call('domains.verify', { id }, options);
  }

  /** Sets the DMARC policy; without one it moves up a step. */
  dmarc(id: string, params: SetDmarcPolicy = {}, options?: RequestOptions): APIPromise<Domain> {
    return this.caller.call('domains.dmarc', { id, body: params }, options);
  }

  /** Provisions a subdomain of the service with its DNS set up. */
  subdomain(params: CreateSubdomain, options?: RequestOptions): APIPromise<Domain> {
    return this.caller.call('domains.subdomain', { body: params }, options);
  }
}
