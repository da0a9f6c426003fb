import type { APIPromise } from '../api-promise.ts';
import type { Caller } from '../call.ts';
import type {
  CreateWebhook,
  Delivery,
  DeliveryPage,
  Event,
  ListDeliveries,
  ListWebhooks,
  UpdateWebhook,
  Webhook,
  WebhookPage,
  WebhookWithSecret,
} from '../generated/types.ts';
import type { PagePromise } from '../page.ts';
import type { RequestOptions } from '../request.ts';
import type { DeliveryHeaders } from '../webhooks/delivery-headers.ts';
import { type RawBody, type UnwrapOptions, unwrap } from '../webhooks/unwrap.ts';
import { Resource } from './resource.ts';

/** Endpoints of yours that receive events. */
export class Webhooks extends Resource {
  readonly #secret: string | undefined;

  constructor(caller: Caller, secret: string | undefined) {
    super(caller);
    this.#secret = secret;
  }

  /** Creates a webhook and gives its signing secret, this once. */
  create(params: CreateWebhook, options?: RequestOptions): APIPromise<WebhookWithSecret> {
    return this.caller.call('webhooks.create', { body: params }, options);
  }

  /** Lists the webhooks of the workspace, newest first. */
  list(query?: ListWebhooks, options?: RequestOptions): PagePromise<WebhookPage> {
    return this.caller.list('webhooks.list', { query }, options);
  }

  /** Gets a webhook. */
  get(id: string, options?: RequestOptions): APIPromise<Webhook> {
    return this.caller.call('webhooks.get', { id }, options);
  }

  /** Changes the URL or events of a webhook, stops it, or starts it again. */
  update(id: string, params: UpdateWebhook, options?: RequestOptions): APIPromise<Webhook> {
    return this.caller.call('webhooks.update', { id, body: params }, options);
  }

  /** Deletes a webhook; no further events go to its URL. */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('webhooks.delete', { id }, options);
  }

  /** Sends a signed sample event and gives its delivery. */
  test(id: string, options?: RequestOptions): APIPromise<Delivery> {
    return this.caller.call('webhooks.test', { id }, options);
  }

  /** Replaces the signing secret and gives the new one, this once. */
  rotateSecret(id: string, options?: RequestOptions): APIPromise<WebhookWithSecret> {
    return this.caller.call('webhooks.rotateSecret', { id }, options);
  }

  /** Lists what was posted to a webhook and what is still to come, newest first. */
  deliveries(id: string, query?: ListDeliveries, options?: RequestOptions): PagePromise<DeliveryPage> {
    return this.caller.list('webhooks.deliveries', { id, query }, options);
  }

  /**
   * Gives the event of a delivery once its signature is verified. `rawBody` is the body as it came, before any parser; `secret` is
   * by default that of the client, or `POSTRIDER_WEBHOOK_SECRET`. Rejects with a `WebhookVerificationError` that has a `reason`.
   */
  unwrap(
    rawBody: RawBody,
    headers: DeliveryHeaders,
    secret?: string,
    options?: UnwrapOptions,
  ): Promise<Event> {
    return unwrap(rawBody, headers, secret ?? this.#secret, options);
  }
}
