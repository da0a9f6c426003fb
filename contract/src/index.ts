/*
 * The contract of the API: every route, body, response, error, event and frame, as data. Server, client, documents and tests are derived
 * from it, and it alone defines what goes over the wire.
 *
 * Glossary
 *   workspace    owner of everything below and of API keys; for a caller, nothing outside its workspace exists
 *   inbox        an address that sends and receives mail
 *   message      one email, inbound or outbound; outbound ones have one recipient row per address, the unit of delivery
 *   thread       messages of one inbox that reply to each other
 *   attachment   a file of a message, downloaded by a signed link
 *   label        a mark on messages
 *   rule         an entry of the allow and block lists (path `/lists`)
 *   suppression  an address that is no longer sent to, after a bounce or complaint or by hand
 *   draft        a message that is sent later, on request or at a scheduled time
 *   domain       a sending domain of the workspace
 *   scope        the inboxes to which people limit a key; for the key, nothing of others exists
 *   policy       what people allow a workspace, an inbox or a key to send
 *   event        something that happened to a message; the events of a workspace have a fixed order
 *   webhook      an endpoint that events are posted to; each event on its way to it is a delivery
 */
import { initContract } from '@ts-rest/core';
import { account } from './account.ts';
import { attachments } from './attachments.ts';
import { domains } from './domains.ts';
import { drafts } from './drafts.ts';
import { events } from './events.ts';
import { inboxes } from './inboxes.ts';
import { labels } from './labels.ts';
import { messages } from './messages.ts';
import { policy } from './policy.ts';
import { rules } from './rules.ts';
import { suppressions } from './suppressions.ts';
import { threads } from './threads.ts';
import { deliveries, webhooks } from './webhooks.ts';

/** The version segment with which every path begins. */
export const pathPrefix = '/v1';

/** All routes of the API by resource and method, under the names that the client uses. */
export const contract = initContract().router(
  {
    inboxes,
    messages,
    threads,
    attachments,
    labels,
    rules,
    suppressions,
    drafts,
    domains,
    events,
    webhooks,
    deliveries,
    account,
    policy,
  },
  { pathPrefix, strictStatusCodes: true },
);

export * from './access.ts';
export * from './account.ts';
export * from './answers.ts';
export * from './attachments.ts';
export * from './brand.ts';
export * from './domains.ts';
export * from './drafts.ts';
export * from './errors/error-body.ts';
export * from './errors/errors.ts';
export * from './errors/issues.ts';
export * from './events.ts';
export * from './fields/address.ts';
export * from './fields/admin-right.ts';
export * from './fields/metadata.ts';
export * from './fields/recipients.ts';
export * from './inboxes.ts';
export * from './labels.ts';
export * from './limits.ts';
export * from './message.ts';
export * from './messages.ts';
export * from './policy.ts';
export * from './realtime.ts';
export * from './routes.ts';
export * from './rules.ts';
export * from './search.ts';
export * from './send-message.ts';
export * from './suppressions.ts';
export * from './threads.ts';
export * from './webhooks.ts';
