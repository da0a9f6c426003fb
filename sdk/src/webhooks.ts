/*
 * `postrider/webhooks`: receives webhook deliveries without a client and without an API key. Every name here
 * is a promise to users.
 */

export { WebhookVerificationError, type WebhookVerificationReason } from './errors.ts';
export type { WebhookHandler, WebhookOptions } from './webhooks/answer-delivery.ts';
export type { DeliveryHeaders } from './webhooks/delivery-headers.ts';
export { expressWebhook } from './webhooks/express-webhook.ts';
export { type FastifyWebhookOptions, fastifyWebhook } from './webhooks/fastify-webhook.ts';
export { fetchWebhook, honoWebhook, nextWebhook } from './webhooks/fetch-webhook.ts';
export { type RawBody, type UnwrapOptions, unwrap } from './webhooks/unwrap.ts';
