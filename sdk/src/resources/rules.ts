import type { APIPromise } from '../api-promise.ts';
import type { CreateRule, ListRules, Rule, RulePage } from '../generated/types.ts';
import type { PagePromise } from '../page.ts';
import type { RequestOptions } from '../request.ts';
import { Resource } from './resource.ts';

/** Entries of the allow and block lists. */
export class Rules extends Resource {
  /** Creates a rule, in force at once; the same rule twice gives the one that exists. */
  create(params: CreateRule, options?: RequestOptions): APIPromise<Rule> {
    return this.caller.call('rules.create', { body: params }, options);
  }

  /** Lists the rules of the workspace, newest first. */
  list(query?: ListRules, options?: RequestOptions): PagePromise<RulePage> {
    return this.caller.list('rules.list', { query }, options);
  }

  /** Deletes a rule; it stops applying at once. */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('rules.delete', { id }, options);
  }
}
