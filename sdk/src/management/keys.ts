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
   * Creates an API key and returns it. Only this response contains the key. It cannot do more than the policy of the workspace allows.
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
   * Changes the name or the limits of a key, with immediate effect.
   *
   * @example
   * await manager.keys.update('key_01m7yyvjvve8jaq5s0hvhdb6px', { read_only: true });
   */
  update(id: string, params: ApiKeyIn, options?: RequestOptions): APIPromise<ChangedApiKey> {
    return this.call('keys.update', { params: { id }, body: params }, options);
  }

  /**
   * Returns the webhooks and scheduled drafts that a key created, which stay active without it.
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
