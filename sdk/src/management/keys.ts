import type { APIPromise } from '../calls/api-promise.ts';
import type { PagePromise } from '../calls/page.ts';
import type { RequestOptions } from '../calls/request.ts';
import type {
  ApiKeyIn,
  ChangedApiKey,
  CreateApiKey,
  KeyWorks,
  NewApiKey,
  RevokedApiKey,
} from '../generated/management.ts';
import { type AnswerOf, type BodyOf, ManagementResource, type QueryOf } from './resource.ts';

/** API keys of agents. */
export class Keys extends ManagementResource {
  /**
   * Creates an API key and returns it, which can be read only this once. It gets no more than the policy of
   * the workspace.
   *
   * @example
   * const { key } = await manager.keys.create({ name: 'support-agent', inbox_ids: [inbox.id] });
   * await store(key);
   */
  create(params: CreateApiKey, options?: RequestOptions): APIPromise<NewApiKey> {
    return this.call('keys.create', { body: params }, options);
  }

  /**
   * Lists the keys of the workspace, revoked ones too, newest first.
   *
   * @example
   * for await (const { name, last_used_at } of manager.keys.list()) console.log(name, last_used_at);
   */
  list(query?: QueryOf<'keys.list'>, options?: RequestOptions): PagePromise<AnswerOf<'keys.list'>> {
    return this.listPages('keys.list', query, options);
  }

  /**
   * Changes the name or the limits of a key, from now on.
   *
   * @example
   * await manager.keys.update('key_01m7yyvjvve8jaq5s0hvhdb6px', { read_only: true });
   */
  update(id: string, params: ApiKeyIn, options?: RequestOptions): APIPromise<ChangedApiKey> {
    return this.call('keys.update', { params: { id }, body: params }, options);
  }

  /**
   * Returns what a key has set up that goes on by itself: its webhooks and its scheduled drafts.
   *
   * @example
   * const { webhooks, draft_count } = await manager.keys.works('key_01m7yyvjvve8jaq5s0hvhdb6px');
   * console.log(webhooks.length, draft_count);
   */
  works(id: string, options?: RequestOptions): APIPromise<KeyWorks> {
    return this.call('keys.works', { params: { id } }, options);
  }

  /**
   * Revokes a key. Unless `keep` is true, its webhooks are disabled and its drafts are no longer scheduled.
   *
   * @example
   * const { webhooks } = await manager.keys.revoke('key_01m7yyvjvve8jaq5s0hvhdb6px');
   * console.log(`${webhooks.length} webhooks were disabled`);
   */
  revoke(
    id: string,
    params: BodyOf<'keys.revoke'> = {},
    options?: RequestOptions,
  ): APIPromise<RevokedApiKey> {
    return this.call('keys.revoke', { params: { id }, body: params }, options);
  }
}
