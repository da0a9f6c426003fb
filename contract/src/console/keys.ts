import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { about, idIn, NextCursor, pageQuery, timestampIn } from '../fields/scalars.ts';
import { PolicyIn } from '../policy.ts';
import { HeldWebhook } from './control.ts';
import { problems } from './errors.ts';
import { byId, consoleLimits, nameField, time } from './fields.ts';

const c = initContract();

/** An API key as the console shows it. */
export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    hint: z.string().meta(about('The prefix and the last characters of the key.')),
    created_by: z
      .object({ id: z.string(), name: z.string(), email: z.string() })
      .nullable()
      .meta(
        about(
          'The person who created it; null for a key that the server, its configuration or the command line created.',
        ),
      ),
    created_at: time(),
    last_used_at: time().nullable(),
    revoked_at: time().nullable(),
    inbox_ids: z
      .array(z.string())
      .nullable()
      .meta(about('The inboxes that the key can use; null for all, an empty list for none.')),
    read_only: z.boolean().meta(about('Whether the key can only read.')),
    expires_at: time().nullable().meta(about('When the key expires; null for never.')),
    policy: PolicyIn.meta(about("The settings of the key's own policy.")),
  })
  .meta({ id: 'ApiKey', description: 'An API key.' });
export type ApiKey = z.infer<typeof ApiKey>;

/** A new key, which is shown only once. */
export const NewApiKey = ApiKey.extend({ key: z.string() }).meta({
  id: 'NewApiKey',
  description: 'A new key, which is shown only once.',
});
export type NewApiKey = z.infer<typeof NewApiKey>;

/** The limits of a key. Fields that are left out limit nothing in a new key, and do not change in an existing one. */
export const ApiKeyIn = z
  .strictObject({
    name: nameField(consoleLimits.keyNameCharactersMax).optional(),
    inbox_ids: z
      .array(idIn('inbox', 'An inbox.'))
      .max(consoleLimits.inboxesPerKeyMax, {
        error: `must be at most ${consoleLimits.inboxesPerKeyMax} inboxes, or null for all`,
      })
      .nullable()
      .optional(),
    read_only: z.boolean().optional(),
    expires_at: timestampIn('When it expires.').nullable().optional(),
    policy: PolicyIn.optional(),
  })
  .meta({ id: 'ApiKeyIn' });
export type ApiKeyIn = z.infer<typeof ApiKeyIn>;

/** Body of `keys.create`. */
export const CreateApiKey = ApiKeyIn.required({ name: true }).meta({ id: 'CreateApiKey' });

/** A changed key. If its new policy holds its mail, also the enabled webhooks that the key created. */
export const ChangedApiKey = ApiKey.extend({ held_webhooks: z.array(HeldWebhook) }).meta({
  id: 'ChangedApiKey',
  description:
    'A changed key. If its new policy holds its mail, also the enabled webhooks that the key created.',
});
export type ChangedApiKey = z.infer<typeof ChangedApiKey>;

/** The enabled webhooks and scheduled drafts of a key, which keep running without it. */
export const KeyWorks = z
  .object({
    webhooks: z.array(z.object({ id: z.string(), url: z.string() })),
    /** At most 100, the next first. */
    drafts: z.array(
      z.object({
        id: z.string(),
        inbox_id: z.string(),
        subject: z.string().nullable(),
        scheduled_at: time(),
      }),
    ),
    draft_count: z.int(),
  })
  .meta({
    id: 'KeyWorks',
    description: 'The enabled webhooks and scheduled drafts of a key, which keep running without it.',
  });
export type KeyWorks = z.infer<typeof KeyWorks>;

/**
 * A key that was revoked, and whether its webhooks and scheduled drafts are kept. Unless they are, the webhooks are disabled and the drafts
 * are no longer scheduled.
 */
export const RevokedApiKey = ApiKey.extend({ ...KeyWorks.shape, kept: z.boolean() }).meta({
  id: 'RevokedApiKey',
  description: 'A revoked key, its webhooks and drafts, and whether they keep running.',
});
export type RevokedApiKey = z.infer<typeof RevokedApiKey>;

/** Routes of API keys. */
export const keys = c.router({
  list: {
    method: 'GET',
    path: '/keys',
    query: z.strictObject(pageQuery),
    responses: { 200: z.object({ keys: z.array(ApiKey), next_cursor: NextCursor }), ...problems },
    metadata: { ownerOnly: true },
  },
  create: {
    method: 'POST',
    path: '/keys',
    body: CreateApiKey,
    responses: { 201: NewApiKey, ...problems },
    metadata: { ownerOnly: true },
  },
  update: {
    method: 'PATCH',
    path: '/keys/:id',
    pathParams: byId,
    body: ApiKeyIn,
    responses: { 200: ChangedApiKey, ...problems },
    metadata: { ownerOnly: true },
  },
  works: {
    method: 'GET',
    path: '/keys/:id/works',
    pathParams: byId,
    responses: { 200: KeyWorks, ...problems },
    metadata: { ownerOnly: true },
  },
  /** Without `keep`, the webhooks of the key are disabled and its drafts are no longer scheduled. */
  revoke: {
    method: 'POST',
    path: '/keys/:id/revoke',
    pathParams: byId,
    body: z.strictObject({ keep: z.boolean().optional() }).optional(),
    responses: { 200: RevokedApiKey, ...problems },
    metadata: { ownerOnly: true },
  },
});
