import type { APIPromise } from '../calls/api-promise.ts';
import type { Caller } from '../calls/call.ts';
import { ensureWebhook } from '../calls/get-or-create.ts';
import type { PagePromise } from '../calls/page.ts';
import type { RequestOptions } from '../calls/request.ts';
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
import type { DeliveryHeaders } from '../webhooks/delivery-headers.ts';
import { type RawBody, type UnwrapOptions, unwrap } from '../webhooks/unwrap.ts';
import { Resource } from './resource.ts';

/** Your endpoints that receive events. */
export class Webhooks extends Resource {
  readonly #secret: string | undefined;

  /** @internal */
  constructor(caller: Caller, secret: string | undefined) {
    super(caller);
    this.#secret = secret;
  }

  /**
   * Creates a webhook and returns it with its signing secret, which only this response contains. Throws an
   * `APIError` with `limit_reached` if the workspace has too many.
   *
   * @example
   * const { id, secret } = await client.webhooks.create({
   *   url: 'https://agent.example.com/hooks',
   *   events: ['message.received'],
   * });
   * await store(secret); // it is shown this once
   */
  create(params: CreateWebhook, options?: RequestOptions): APIPromise<WebhookWithSecret> {
    return this.caller.call('webhooks.create', { body: params }, options);
  }

  /**
   * Returns the webhook with this URL, enabled and with these events, and creates it if it does not exist. A
   * receiver can call this at every start. The result has a `secret` only if the webhook was created; an
   * existing webhook keeps its secret. If several programs create the webhook at the same moment, only one
   * remains.
   *
   * @example
   * await client.webhooks.ensure({ url: 'https://agent.example.com/hooks', events: ['message.received'] });
   */
  ensure(params: CreateWebhook, options?: RequestOptions): Promise<Webhook & { secret?: string }> {
    return ensureWebhook(this.caller, params, options);
  }

  /**
   * Lists the webhooks of the workspace, newest first.
   *
   * @example
   * for await (const { id, url, enabled } of client.webhooks.list()) console.log(id, url, enabled);
   */
  list(query?: ListWebhooks, options?: RequestOptions): PagePromise<WebhookPage> {
    return this.caller.list('webhooks.list', { query }, options);
  }

  /**
   * Returns a webhook.
   *
   * @example
   * const { enabled } = await client.webhooks.get('whk_01m7z2h4myefgtxva99ef6d5ws');
   */
  get(id: string, options?: RequestOptions): APIPromise<Webhook> {
    return this.caller.call('webhooks.get', { id }, options);
  }

  /**
   * Changes the URL or events of a webhook, disables it, or enables it again. Returns the webhook.
   *
   * @example
   * await client.webhooks.update('whk_01m7z2h4myefgtxva99ef6d5ws', { enabled: true });
   */
  update(id: string, params: UpdateWebhook, options?: RequestOptions): APIPromise<Webhook> {
    return this.caller.call('webhooks.update', { id, body: params }, options);
  }

  /**
   * Deletes a webhook. No further events are posted to its URL.
   *
   * @example
   * await client.webhooks.delete('whk_01m7z2h4myefgtxva99ef6d5ws');
   */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('webhooks.delete', { id }, options);
  }

  /**
   * Posts a signed sample event once and returns the delivery. Throws an `APIError` with `limit_reached` if
   * too many tests and redeliveries are in progress.
   *
   * @example
   * const { status, attempts } = await client.webhooks.test('whk_01m7z2h4myefgtxva99ef6d5ws');
   * console.log(status, attempts[0]?.status_code);
   */
  test(id: string, options?: RequestOptions): APIPromise<Delivery> {
    return this.caller.call('webhooks.test', { id }, options);
  }

  /**
   * Replaces the signing secret and returns the new one, which only this response contains.
   *
   * @example
   * const { secret } = await client.webhooks.rotateSecret('whk_01m7z2h4myefgtxva99ef6d5ws');
   * await store(secret);
   */
  rotateSecret(id: string, options?: RequestOptions): APIPromise<WebhookWithSecret> {
    return this.caller.call('webhooks.rotateSecret', { id }, options);
  }

  /**
   * Lists the deliveries of a webhook, past and pending ones, newest first.
   *
   * @example
   * for await (const delivery of client.webhooks.deliveries('whk_01m7z2h4myefgtxva99ef6d5ws'))
   *   if (delivery.status === 'failed') await client.deliveries.redeliver(delivery.id);
   */
  deliveries(id: string, query?: ListDeliveries, options?: RequestOptions): PagePromise<DeliveryPage> {
    return this.caller.list('webhooks.deliveries', { id, query }, options);
  }

  /**
   * Verifies the signature and the signed time of a delivery (Standard Webhooks), and returns its event.
   * `rawBody` is the body before any parser has read it. `secret` defaults to that of the client, or else to
   * `POSTRIDER_WEBHOOK_SECRET`. Rejects with a `WebhookVerificationError`, whose `reason` says why.
   *
   * @example
   * const event = await client.webhooks.unwrap(await request.text(), request.headers);
   * if (event.event === 'message.received') console.log(event.message?.subject);
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
