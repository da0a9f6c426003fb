import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { changesInbox } from './access.ts';
import { answers } from './answers.ts';
import { brand } from './brand.ts';
import { EventKind, eventKinds } from './events.ts';
import {
  about,
  exampleIds,
  idField,
  idIn,
  NextCursor,
  NoFields,
  pageQuery,
  pathId,
  timestamp,
} from './fields/scalars.ts';
import { limits } from './limits.ts';

const c = initContract();

/** An endpoint of yours that receives events. */
export const Webhook = z
  .object({
    id: idField('webhook', 'The webhook.'),
    url: z.string().meta(about('Where events are posted.', 'https://agent.example.com/hooks')),
    events: z.array(EventKind).meta(about('The event kinds that it receives.', ['message.received'])),
    inbox_ids: z
      .array(z.string())
      .nullable()
      .meta(about('The inboxes whose events it receives; null for all.', [exampleIds.inbox])),
    enabled: z
      .boolean()
      .meta(
        about(
          'Whether events are posted. It becomes false after 5 days in which every attempt failed.',
          true,
        ),
      ),
    created_at: timestamp('When the webhook was created.'),
  })
  .meta({ id: 'Webhook', description: 'Your endpoint that receives events.' });
export type Webhook = z.infer<typeof Webhook>;

/** A webhook with its signing secret, which only the responses to create and rotate contain. */
export const WebhookWithSecret = z
  .object({
    ...Webhook.shape,
    secret: z
      .string()
      .meta(
        about(
          'The signing secret; it is shown only this once.',
          `${brand.webhookSecretPrefix}MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=`,
        ),
      ),
  })
  .meta({
    id: 'WebhookWithSecret',
    description: 'A webhook with its signing secret, which is shown only this once.',
  });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

const url = z
  .string()
  .max(limits.urlCharactersMax, { error: `must have at most ${limits.urlCharactersMax} characters` })
  .refine(isWebUrl, { error: 'must be a URL like https://agent.example.com/hooks' })
  .meta({ ...about('A public https URL.', 'https://agent.example.com/hooks'), format: 'uri' });

function isWebUrl(text: string): boolean {
  // A URL parser drops line breaks and outer spaces, but the stored text must be the one that was checked.
  if (/[\s\p{Cc}\p{Cs}]/u.test(text) || !URL.canParse(text)) return false;
  return ['http:', 'https:'].includes(new URL(text).protocol);
}

const kinds = z
  .array(EventKind)
  .min(1, { error: 'must name at least one event kind' })
  .max(eventKinds.length, { error: `must be at most ${eventKinds.length} event kinds` })
  .overwrite((list) => [...new Set(list)])
  .meta(about('The event kinds to receive.', ['message.received', 'message.bounced']));

const inboxIds = z
  .array(idIn('inbox', 'An inbox.'))
  .min(1, { error: 'must name at least one inbox, or be null for all' })
  .max(limits.webhookInboxesMax, { error: `must be at most ${limits.webhookInboxesMax} inboxes` })
  .overwrite((list) => [...new Set(list)])
  .nullable()
  .optional()
  .meta(about('Only events of these inboxes; null for all.', [exampleIds.inbox]));

const ownSecret = z
  .string()
  .refine(isSecret, {
    error: `must be ${brand.webhookSecretPrefix} and base64 of 24 to 64 bytes`,
  })
  .optional()
  .meta(
    about(
      'Your own signing secret; by default, the server creates one.',
      `${brand.webhookSecretPrefix}MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=`,
    ),
  );

/** Returns whether a text is a secret in standard base64 with padding, which every client decodes to the same bytes. */
function isSecret(text: string): boolean {
  if (!text.startsWith(brand.webhookSecretPrefix)) return false;
  const encoded = text.slice(brand.webhookSecretPrefix.length);
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded)) return false;
  const padding = encoded.endsWith('==') ? 2 : encoded.endsWith('=') ? 1 : 0;
  const bytes = (encoded.length / 4) * 3 - padding;
  return bytes >= 24 && bytes <= 64;
}

/** Body of `webhooks.create`. */
export const CreateWebhook = z
  .strictObject({ url, events: kinds, inbox_ids: inboxIds, secret: ownSecret })
  .meta({ id: 'CreateWebhook' });
export type CreateWebhook = z.infer<typeof CreateWebhook>;

/** Body of `webhooks.update`. */
export const UpdateWebhook = z
  .strictObject({
    url: url.optional(),
    events: kinds.optional(),
    inbox_ids: inboxIds,
    enabled: z.boolean().optional().meta(about('Whether events are posted.', true)),
  })
  .meta({ id: 'UpdateWebhook' });
export type UpdateWebhook = z.infer<typeof UpdateWebhook>;

/** One attempt of a delivery. */
export const DeliveryAttempt = z
  .object({
    at: timestamp('When the attempt began.'),
    status_code: z.int().nullable().meta(about('The HTTP status of your endpoint’s response.', 200)),
    error: z.string().nullable().meta(about('The error, if there was no response.', 'timeout after 10 s')),
    duration_ms: z.int().min(0).meta(about('The duration of the attempt in milliseconds.', 84)),
  })
  .meta({ id: 'DeliveryAttempt', description: 'One attempt of a delivery.' });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

/** One event on its way to one webhook. */
export const Delivery = z
  .object({
    id: idField('delivery', 'The delivery.'),
    webhook_id: idField('webhook', 'The webhook.'),
    event_id: idField('event', 'The event, as in the `webhook-id` header.'),
    event: EventKind,
    status: z
      .enum(['pending', 'succeeded', 'failed'])
      .meta(about('The status of the delivery.', 'succeeded')),
    attempts: z.array(DeliveryAttempt).meta({ description: 'All attempts so far, oldest first; at most 8.' }),
    next_attempt_at: timestamp('When the next attempt is due; null if there is none.').nullable(),
    created_at: timestamp('When the delivery was created.'),
  })
  .meta({ id: 'Delivery', description: 'One event on its way to one webhook.' });
export type Delivery = z.infer<typeof Delivery>;

/** A page of webhooks. */
export const WebhookPage = z
  .object({ webhooks: z.array(Webhook), next_cursor: NextCursor })
  .meta({ id: 'WebhookPage', description: 'Webhooks, newest first.' });
export type WebhookPage = z.infer<typeof WebhookPage>;

/** A page of deliveries. */
export const DeliveryPage = z
  .object({ deliveries: z.array(Delivery), next_cursor: NextCursor })
  .meta({ id: 'DeliveryPage', description: 'Deliveries, newest first.' });
export type DeliveryPage = z.infer<typeof DeliveryPage>;

/** Query of `webhooks.list`. */
export const ListWebhooks = z.strictObject(pageQuery);
export type ListWebhooks = z.infer<typeof ListWebhooks>;

/** Query of `webhooks.deliveries`. */
export const ListDeliveries = z.strictObject(pageQuery);
export type ListDeliveries = z.infer<typeof ListDeliveries>;

const pathParams = pathId('webhook', 'The webhook.');

/** Routes of webhooks. */
export const webhooks = c.router({
  create: {
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook',
    description:
      'Returns the signing secret, which is shown only once. `http:` URLs and private, loopback or link-local targets are refused. A ' +
      'workspace can have at most 50 webhooks. A key cannot create, change or test webhooks while a policy limits whether it can ' +
      'send, or to whom.',
    body: CreateWebhook,
    metadata: changesInbox,
    responses: { 201: WebhookWithSecret, ...answers('limit_reached') },
  },
  list: {
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhooks',
    description: 'Lists the webhooks of the workspace, newest first, without their secrets.',
    query: ListWebhooks,
    responses: { 200: WebhookPage, ...answers() },
  },
  get: {
    method: 'GET',
    path: '/webhooks/:id',
    summary: 'Get a webhook',
    description: 'Returns one webhook, without its secret.',
    pathParams,
    responses: { 200: Webhook, ...answers() },
  },
  update: {
    method: 'PATCH',
    path: '/webhooks/:id',
    summary: 'Change a webhook',
    description: 'Changes the URL, event kinds or inboxes of the webhook, or disables or enables it.',
    pathParams,
    body: UpdateWebhook,
    metadata: changesInbox,
    responses: { 200: Webhook, ...answers() },
  },
  delete: {
    method: 'DELETE',
    path: '/webhooks/:id',
    summary: 'Delete a webhook',
    description: 'No more events are posted to its URL.',
    pathParams,
    metadata: changesInbox,
    responses: { 204: c.noBody(), ...answers() },
  },
  test: {
    method: 'POST',
    path: '/webhooks/:id/test',
    summary: 'Send a test event',
    description:
      'Posts a signed `message.received` sample and returns its delivery. A workspace can have at most 10 tests and redeliveries in progress at a time.',
    pathParams,
    body: NoFields,
    metadata: changesInbox,
    responses: { 200: Delivery, ...answers('limit_reached') },
  },
  rotateSecret: {
    method: 'POST',
    path: '/webhooks/:id/rotate-secret',
    summary: 'Replace the signing secret',
    description:
      'Returns the new secret, which is shown only once. For 24 hours, `webhook-signature` has a signature for each of the two ' +
      `secrets; \`${brand.headers.signature}\` uses the new secret at once.`,
    pathParams,
    body: NoFields,
    metadata: changesInbox,
    responses: { 200: WebhookWithSecret, ...answers() },
  },
  deliveries: {
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    summary: 'List the deliveries of a webhook',
    description: 'Lists the deliveries, newest first, with all attempts so far and the time of the next one.',
    pathParams,
    query: ListDeliveries,
    responses: { 200: DeliveryPage, ...answers() },
  },
});

/** Routes of deliveries. */
export const deliveries = c.router({
  redeliver: {
    method: 'POST',
    path: '/deliveries/:id/redeliver',
    summary: 'Deliver an event again',
    description:
      'Posts the same event to the same webhook once more and returns the new delivery. A workspace can have at most 10 tests and ' +
      'redeliveries in progress at a time.',
    pathParams: pathId('delivery', 'The delivery to repeat.'),
    body: NoFields,
    metadata: changesInbox,
    responses: { 200: Delivery, ...answers('limit_reached') },
  },
});
