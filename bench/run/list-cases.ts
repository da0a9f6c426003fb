import { seededId, threadSender } from './seed-messages.ts';

/** A workspace that was filled with messages numbered `from` to `to`. */
export interface ListedWorkspace {
  key: string;
  inboxIds: string[];
  from: number;
  to: number;
  /** Labels on one in ten and on one in a thousand of the messages. */
  labels: { often: string; seldom: string };
}

/** A list, with its request for each workspace. */
export interface ListCase {
  what: string;
  path(workspace: ListedWorkspace): string;
}

type Query = (workspace: ListedWorkspace, inbox: number) => Record<string, string>;

/** The only inbox with outbound messages, the only one with files, and one with neither. */
const inboxWith = { outbound: 0, files: 1, neither: 2 };
function middleNumber({ from, to }: ListedWorkspace): number {
  return Math.floor((from + to) / 6) * 3;
}
function timeAt(number: number): string {
  return new Date(Date.UTC(2026, 0, 1) + number * 10_000).toISOString();
}

const messageFilters: [what: string, query: Query, inbox?: number][] = [
  [
    'from an address',
    (ws, inbox) => ({ from: threadSender(Math.floor(middleNumber(ws) / 30) * 10 + inbox) }),
    3,
  ],
  ['from a domain, all', () => ({ from: 'sender.example' })],
  ['from nobody', () => ({ from: 'nobody@sender.example' })],
  ['to nobody', () => ({ to: 'nobody.example' })],
  ['to a domain, all', () => ({ to: 'postrider.test' })],
  ['subject with a word, all', () => ({ subject: 'order' })],
  ['subject with a word, one in 200', (_, inbox) => ({ subject: `topic${inbox}` }), 3],
  ['subject with words, three messages', (ws) => ({ subject: `order ${middleNumber(ws) / 3}` })],
  ['subject with words, none', () => ({ subject: 'order nothing' })],
  ['inbound', () => ({ direction: 'inbound' })],
  ['outbound', () => ({ direction: 'outbound' }), inboxWith.outbound],
  ['with files', () => ({ has_attachment: 'true' }), inboxWith.files],
  ['without files', () => ({ has_attachment: 'false' })],
  ['read', () => ({ read: 'true' })],
  ['unread, one in 100', () => ({ read: 'false' })],
  ['unread, with a label on one in ten', ({ labels }) => ({ read: 'false', label_id: labels.often })],
  ['a label on one in ten', ({ labels }) => ({ label_id: labels.often })],
  ['a label on one in a thousand', ({ labels }) => ({ label_id: labels.seldom })],
  ['of a thread', (ws) => ({ thread_id: seededId('thr', middleNumber(ws) / 3) })],
  ['before', (ws) => ({ before: timeAt(middleNumber(ws)) })],
  ['after', (ws) => ({ after: timeAt(middleNumber(ws)) })],
  ['before all', () => ({ before: '2025-01-01T00:00:00Z' })],
];

const inInboxOnly: [what: string, query: Query][] = [
  ['outbound, none', () => ({ direction: 'outbound' })],
  ['with files, none', () => ({ has_attachment: 'true' })],
];

/** Returns the lists with each single filter of messages and threads, for the whole workspace and within an inbox. */
export function listCases(): ListCase[] {
  return [
    listCase('messages', 'all', () => ({}), null),
    listCase('messages', 'all', () => ({}), inboxWith.neither),
    ...messageFilters.flatMap(([what, query, inbox = inboxWith.neither]) => [
      listCase('messages', what, query, null, inbox),
      listCase('messages', what, query, inbox),
    ]),
    ...inInboxOnly.map(([what, query]) => listCase('messages', what, query, inboxWith.neither)),
    ...[null, inboxWith.neither].flatMap((inbox) => [
      listCase('threads', 'all', () => ({}), inbox),
      listCase('threads', 'read', () => ({ read: 'true' }), inbox),
      listCase('threads', 'unread, one in 100', () => ({ read: 'false' }), inbox),
      listCase(
        'threads',
        'unread, with a label',
        ({ labels }) => ({ read: 'false', label_id: labels.often }),
        inbox,
      ),
      listCase('threads', 'a label on one in ten', ({ labels }) => ({ label_id: labels.often }), inbox),
      listCase(
        'threads',
        'a label on one in a thousand',
        ({ labels }) => ({ label_id: labels.seldom }),
        inbox,
      ),
    ]),
  ];
}

/** Creates a case. `about` is the inbox that the query is made for, even if the list is not limited to it. */
function listCase(
  list: 'messages' | 'threads',
  what: string,
  query: Query,
  inbox: number | null,
  about = inbox ?? inboxWith.neither,
): ListCase {
  return {
    what: `${list}, ${what}${inbox === null ? '' : ', in an inbox'}`,
    path: (workspace) => {
      const place = inbox === null ? {} : { inbox_id: workspace.inboxIds[inbox] ?? '' };
      return `/v1/${list}?${new URLSearchParams({ ...place, ...query(workspace, about) })}`;
    },
  };
}
