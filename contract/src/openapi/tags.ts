import { brand } from '../brand.ts';
import { realtimeCloseCodes, realtimePath } from '../realtime.ts';

const closeCodes = Object.values(realtimeCloseCodes)
  .map(({ code, meaning }) => `${code}: ${meaning}`)
  .join(' ');

const realtime =
  `A WebSocket at \`${realtimePath}\` sends the same events. It accepts the Bearer header or, for clients that cannot set headers, the ` +
  `subprotocols \`${brand.realtime.subprotocol}\` and \`${brand.realtime.bearerPrefix}<key>\`. Its query parameters are \`events\`, ` +
  '`inbox_id` and `after`. The first frame is `{"event": "connected", "data": {"workspace_id", "cursor"}}`; all others are ' +
  `events. Close codes: ${closeCodes} A stream of server-sent events ends with the same codes.`;

const byResource: Record<string, { name: string; description: string }> = {
  inboxes: { name: 'Inboxes', description: 'Addresses that send and receive mail.' },
  messages: { name: 'Messages', description: 'Mail: send, reply, forward, list, search and wait.' },
  threads: { name: 'Threads', description: 'Conversations, by the threading headers of RFC 5322.' },
  attachments: {
    name: 'Attachments',
    description: 'Files attached to messages, downloaded through short-lived links.',
  },
  labels: { name: 'Labels', description: 'Labels for sorting and finding messages.' },
  rules: { name: 'Rules', description: 'Allow and block lists, for senders and recipients.' },
  suppressions: {
    name: 'Suppressions',
    description:
      'Addresses that no longer receive mail from the workspace, after a bounce or a complaint, or because you added them.',
  },
  drafts: { name: 'Drafts', description: 'Messages to send later, on request or at a scheduled time.' },
  domains: { name: 'Domains', description: 'Custom sending domains and dedicated subdomains.' },
  events: {
    name: 'Events',
    description: `The log of events about messages and drafts, in one order per workspace. ${realtime}`,
  },
  webhooks: { name: 'Webhooks', description: 'Your endpoints that receive events as signed POST requests.' },
  deliveries: { name: 'Webhooks', description: '' },
  account: { name: 'Account', description: 'Workspace, plan, limits and usage.' },
  policy: { name: 'Policy', description: 'The sending policy that applies to this key.' },
};

/** The groups of operations, in the order of the contract. */
export const tags = Object.values(byResource).filter(({ description }) => description !== '');

/** Returns the name of the group that the routes of a resource belong to. */
export function resourceTag(resource: string): string {
  const tag = byResource[resource];
  if (tag === undefined) throw new Error(`give the resource ${resource} a tag in openapi/tags.ts`);
  return tag.name;
}
