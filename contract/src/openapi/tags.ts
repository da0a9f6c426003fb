import { brand } from '../brand.ts';
import { realtimeCloseCodes, realtimePath } from '../realtime.ts';

const closeCodes = Object.values(realtimeCloseCodes)
  .map(({ code, meaning }) => `${code}: ${meaning}`)
  .join(' ');

const realtime =
  `The same events come over a WebSocket at \`${realtimePath}\`. It takes the Bearer header or, where no header can be set, the ` +
  `subprotocols \`${brand.realtime.subprotocol}\` and \`${brand.realtime.bearerPrefix}<key>\`, and the query \`events\`, ` +
  '`inbox_id` and `after`. The first frame is `{"event": "connected", "data": {"workspace_id", "cursor"}}`; all others are ' +
  `events. Close codes: ${closeCodes} A stream of server-sent events ends with the same codes.`;

const byResource: Record<string, { name: string; description: string }> = {
  inboxes: { name: 'Inboxes', description: 'Addresses that send and receive mail.' },
  messages: { name: 'Messages', description: 'Mail: send, reply, forward, list, search and wait.' },
  threads: { name: 'Threads', description: 'Conversations, by the threading headers of RFC 5322.' },
  attachments: { name: 'Attachments', description: 'Files of messages, downloaded by short-lived links.' },
  labels: { name: 'Labels', description: 'Marks on messages.' },
  rules: { name: 'Rules', description: 'Allow and block lists, for senders and recipients.' },
  suppressions: {
    name: 'Suppressions',
    description: 'Addresses that are not sent to any more, after a bounce or complaint or by hand.',
  },
  drafts: { name: 'Drafts', description: 'Messages that are sent later, by hand or at their time.' },
  domains: { name: 'Domains', description: 'Custom sending domains and dedicated subdomains.' },
  events: {
    name: 'Events',
    description: `What happened to messages, in one order per workspace. ${realtime}`,
  },
  webhooks: { name: 'Webhooks', description: 'Endpoints of yours that events are posted to, signed.' },
  deliveries: { name: 'Webhooks', description: '' },
  account: { name: 'Account', description: 'Workspace, plan, limits and usage.' },
  policy: { name: 'Policy', description: 'What people allow this key to send.' },
};

/** The groups of operations, in the order of the contract. */
export const tags = Object.values(byResource).filter(({ description }) => description !== '');

/** Returns the name of the group that the routes of a resource belong to. */
export function resourceTag(resource: string): string {
  const tag = byResource[resource];
  if (tag === undefined) throw new Error(`give the resource ${resource} a tag in openapi/tags.ts`);
  return tag.name;
}
