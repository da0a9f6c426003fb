import type { APIPromise } from '../calls/api-promise.ts';
import type { PagePromise } from '../calls/page.ts';
import type { RequestOptions } from '../calls/request.ts';
import type { CreateRule, ListRules, Rule, RulePage } from '../generated/types.ts';
import { Resource } from './resource.ts';

/** Entries of the allow and block lists. */
export class Rules extends Resource {
  /**
   * Creates a rule, which applies at once, and returns it. If the same rule already exists, returns that one.
   * Throws an `APIError` with `limit_reached` if the workspace has too many.
   *
   * @example
   * await client.rules.create({ kind: 'block', direction: 'inbound', pattern: 'spam.example' });
   */
  create(params: CreateRule, options?: RequestOptions): APIPromise<Rule> {
    return this.caller.call('rules.create', { body: params }, options);
  }

  /**
   * Lists the rules of the workspace, newest first.
   *
   * @example
   * for await (const rule of client.rules.list()) console.log(rule.kind, rule.direction, rule.pattern);
   */
  list(query?: ListRules, options?: RequestOptions): PagePromise<RulePage> {
    return this.caller.list('rules.list', { query }, options);
  }

  /**
   * Deletes a rule, which stops applying at once.
   *
   * @example
   * await client.rules.delete('rul_01m7z2h4myefgtxva99ef6d5ws');
   */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('rules.delete', { id }, options);
  }
}
