/* The records for developers: requests by key, decisions on mail, bodies of deliveries, usage by day, and the state of the server. */
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { Event, eventFilters } from '../events.ts';
import { about, NextCursor, pageQuery, timestampIn } from '../fields/scalars.ts';
import { problems } from './errors.ts';
import { byId, SearchedText, time } from './fields.ts';

const c = initContract();

/**
 * One request to the API, without query and bodies. Of a key that makes more than 60 requests or 120 errors a minute for a while, or of a
 * workspace that makes more than 300, not all are recorded.
 */
export const LoggedRequest = z.object({
  /** The id of the request, as in `x-request-id`. */
  id: z.string(),
  at: time(),
  key_id: z.string(),
  method: z.string(),
  path: z.string(),
  /** 499 if the client left before it had the whole response, and 101 for a realtime socket that was open. */
  status: z.int(),
  error: z.string().nullable(),
  duration_ms: z.int(),
  /** How many requests of the key before this one, likewise errors or not, were not recorded. */
  skipped: z.int(),
});
export type LoggedRequest = z.infer<typeof LoggedRequest>;

/** One decision of the SMTP server about one recipient. Mail for an unknown address has no inbox. */
export const MailDecision = z.object({
  id: z.string(),
  at: time(),
  verdict: z.enum(['accepted', 'refused', 'deferred', 'repeated']),
  reply: z.string(),
  remote_address: z.string(),
  helo: z.string().nullable(),
  mail_from: z.string().nullable(),
  rcpt_to: z.string().nullable(),
  inbox_id: z.string().nullable(),
  message_id: z.string().nullable(),
  session_id: z.string(),
});
export type MailDecision = z.infer<typeof MailDecision>;

/** The counts of one UTC day: messages sent and received, and recipients by their outcome. */
export const UsageDay = z
  .object({
    day: z.iso.date(),
    sent: z.int(),
    received: z.int(),
    delivered: z.int(),
    bounced: z.int(),
    complained: z.int(),
    storage_bytes: z.int().meta(about('Bytes of attachments added on this day, minus those removed.')),
  })
  .meta({
    id: 'UsageDay',
    description: 'The counts of one UTC day: messages sent and received, and recipients by their outcome.',
  });
export type UsageDay = z.infer<typeof UsageDay>;

/** One finding of the doctor. */
export const Finding = z.object({
  part: z.string(),
  state: z.enum(['ok', 'note', 'problem']),
  text: z.string(),
  remedy: z.string().nullable(),
});
export type Finding = z.infer<typeof Finding>;

/** Routes of records. */
export const records = c.router({
  requests: {
    method: 'GET',
    path: '/requests',
    query: z.strictObject({
      ...pageQuery,
      key_id: SearchedText,
      method: SearchedText,
      /** Part of the path. */
      path: SearchedText,
      status: z.enum(['2xx', '4xx', '5xx']).optional(),
      before: timestampIn('Only requests before this time.').optional(),
    }),
    responses: { 200: z.object({ requests: z.array(LoggedRequest), next_cursor: NextCursor }), ...problems },
  },
  /** The event log, newest first. The API itself has it oldest first, for programs that follow it. */
  events: {
    method: 'GET',
    path: '/events',
    query: z.strictObject({
      ...pageQuery,
      events: eventFilters.events,
      inbox_id: eventFilters.inbox_id,
      before: timestampIn('Only events before this time.').optional(),
    }),
    responses: { 200: z.object({ events: z.array(Event), next_cursor: NextCursor }), ...problems },
  },
  decisions: {
    method: 'GET',
    path: '/decisions',
    query: z.strictObject({
      ...pageQuery,
      /** Part of a sender, recipient, host or reply. */
      query: SearchedText,
      /** One verdict; `failed` for refused and deferred mail, and `passed` for all other. */
      verdict: z.enum([...MailDecision.shape.verdict.options, 'failed', 'passed']).optional(),
      inbox_id: SearchedText,
    }),
    responses: {
      200: z.object({ decisions: z.array(MailDecision), next_cursor: NextCursor }),
      ...problems,
    },
  },
  /** Refusals of addresses that no inbox of the server has. Only the owners who run the server see them. */
  unknownRecipients: {
    method: 'GET',
    path: '/unknown-recipients',
    query: z.strictObject({
      ...pageQuery,
      /** Part of a sender, recipient, host or reply. */
      query: SearchedText,
    }),
    responses: {
      200: z.object({ decisions: z.array(MailDecision), next_cursor: NextCursor }),
      ...problems,
    },
    metadata: { ownerOnly: true },
  },
  deliveryBody: {
    method: 'GET',
    path: '/deliveries/:id/body',
    pathParams: byId,
    responses: {
      /** The JSON that a redelivery would post now; null once the event is no longer kept. */
      200: z.object({ body: z.string().nullable() }),
      ...problems,
    },
  },
  usage: {
    method: 'GET',
    path: '/usage',
    query: z.strictObject({
      days: z.coerce.number().int().min(1).max(90).default(30),
    }),
    responses: { 200: z.object({ days: z.array(UsageDay) }), ...problems },
  },
  zoneFile: {
    method: 'GET',
    path: '/domains/:id/zone',
    pathParams: byId,
    responses: { 200: z.object({ text: z.string() }), ...problems },
  },
  doctor: {
    method: 'GET',
    path: '/doctor',
    responses: { 200: z.object({ at: time(), findings: z.array(Finding) }), ...problems },
    metadata: { ownerOnly: true },
  },
});
