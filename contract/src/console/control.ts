/* How people control what agents send: policies, pauses, and whether recipients are told that an AI wrote a message. */
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { about, exampleIds, NextCursor, pageQuery } from '../fields/scalars.ts';
import { Disclosure, EffectivePolicy, PauseLevel, PolicyIn, PolicyLevel } from '../policy.ts';
import { problems } from './errors.ts';
import { consoleLimits, nameField, time } from './fields.ts';

const c = initContract();

/** Any text is accepted as an id, because an unknown id is a 404. */
const subjectId = z
  .string()
  .max(100)
  .meta(about('The id of the key, the inbox or the workspace.', exampleIds.inbox));

/**
 * The person or the admin token that did it. Null for the operator of the server and for its configuration; the name is null for somebody
 * who left.
 */
const Doer = z.object({ id: z.string(), name: z.string().nullable() }).nullable();

/** The subject of a policy or a pause. */
const subject = {
  /** Empty for the server. */
  subject_id: z.string(),
  /** The address of the inbox, or the name of the workspace or the key; empty for the server. */
  name: z.string(),
};

/** An enabled webhook of a key whose mail is now held by a policy. The webhook continues to post events. */
export const HeldWebhook = z
  .object({
    id: z.string(),
    url: z.string(),
    key_id: z.string(),
    key_name: z.string(),
  })
  .meta({
    id: 'HeldWebhook',
    description:
      'An enabled webhook of a key whose mail is now held by a policy. The webhook continues to post events.',
  });
export type HeldWebhook = z.infer<typeof HeldWebhook>;

/** A policy of one key, one inbox or the workspace. */
export const PolicyEntry = z
  .object({
    level: PolicyLevel,
    ...subject,
    lines: PolicyIn,
    updated_at: time(),
    updated_by: Doer,
  })
  .meta({ id: 'PolicyEntry', description: 'A policy of one key, one inbox or the workspace.' });
export type PolicyEntry = z.infer<typeof PolicyEntry>;

/** An active pause. */
export const PauseEntry = z
  .object({
    level: PauseLevel,
    ...subject,
    reason: z.string().nullable(),
    paused_at: time(),
    paused_by: Doer,
  })
  .meta({ id: 'PauseEntry', description: 'An active pause.' });
export type PauseEntry = z.infer<typeof PauseEntry>;

/** The mail that waits for the end of a pause of the workspace or the server. Counts above 1,000 are not exact. */
export const Waiting = z
  .object({
    under_way: z
      .int()
      .meta(about('Recipients whose mail was already being handed to a relay when the pause began.')),
    recipients: z.int().meta(about('Recipients whose mail would otherwise be sent now.')),
    scheduled_drafts: z.int(),
    held: z.int().meta(about('Messages that wait for approval.')),
  })
  .meta({
    id: 'Waiting',
    description:
      'The mail that waits for the end of a pause of the workspace or the server. Counts above 1,000 are not exact.',
  });
export type Waiting = z.infer<typeof Waiting>;

/** The settings that apply to everything in the workspace. */
export const Control = z
  .object({
    policy: PolicyEntry.nullable(),
    disclosure: Disclosure,
    pauses: z.array(PauseEntry).meta(about('The widest pauses first, then the newest; at most 200.')),
    waiting: Waiting.nullable().meta(about('Null while neither the workspace nor the server is paused.')),
  })
  .meta({ id: 'Control', description: 'The settings that apply to everything in the workspace.' });
export type Control = z.infer<typeof Control>;

const Place = z.strictObject({ level: PolicyLevel, subject_id: subjectId });

/** Routes for the control of sending. Every member can pause; only owners can resume. */
export const control = c.router({
  get: {
    method: 'GET',
    path: '/control',
    responses: { 200: Control, ...problems },
  },
  setDisclosure: {
    method: 'PATCH',
    path: '/control',
    body: z.strictObject({ disclosure: Disclosure }),
    responses: { 200: z.object({ disclosure: Disclosure }), ...problems },
    metadata: { ownerOnly: true },
  },
  /** The policies of inboxes and keys, the one changed last first. */
  policies: {
    method: 'GET',
    path: '/policies',
    query: z.strictObject(pageQuery),
    responses: { 200: z.object({ policies: z.array(PolicyEntry), next_cursor: NextCursor }), ...problems },
  },
  /** The settings that apply to mail that a key sends from an inbox. A key or inbox that is left out adds no lines. */
  effective: {
    method: 'GET',
    path: '/policies/effective',
    query: z.strictObject({ inbox_id: subjectId.optional(), key_id: subjectId.optional() }),
    responses: { 200: EffectivePolicy, ...problems },
  },
  /** Replaces the previous policy. A policy without settings removes it. */
  setPolicy: {
    method: 'PUT',
    path: '/policies/:level/:id',
    pathParams: z.object({ level: PolicyLevel, id: subjectId }),
    body: z.strictObject({ lines: PolicyIn }),
    responses: { 200: z.object({ lines: PolicyIn, held_webhooks: z.array(HeldWebhook) }), ...problems },
    metadata: { ownerOnly: true },
  },
  /** Responds once nothing more is handed to a relay. A second pause of one place changes nothing. */
  pause: {
    method: 'POST',
    path: '/pauses',
    body: Place.extend({
      reason: nameField(consoleLimits.pauseReasonCharactersMax)
        .meta(about('Shown to people.', 'It writes nonsense'))
        .optional(),
    }),
    /** `under_way`: for how many recipients a relay still takes mail that it had begun to take. */
    responses: { 200: z.object({ under_way: z.int() }), ...problems },
  },
  resume: {
    method: 'POST',
    path: '/resumes',
    body: Place,
    /** Whether there was a pause. */
    responses: { 200: z.object({ resumed: z.boolean() }), ...problems },
    metadata: { ownerOnly: true },
  },
});
