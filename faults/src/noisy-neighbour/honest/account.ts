/* Checks that everything acknowledged to the honest tenant is there exactly once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FollowedEvent, Follower } from './followers.ts';
import type { HonestMail } from './mail.ts';
import type { HonestClient } from './requests.ts';
import type { HonestSend } from './sends.ts';

/** The names of things that are missing and of those that came twice. There must be none of either. */
export interface Accounts {
  lost: string[];
  twice: string[];
}

interface Listed {
  message_id: string;
  subject: string;
  client_id: string | null;
  delivery_status: string;
  recipients: { status: string; detail: string | null }[];
}

const settleMsMax = 45_000;
const settlePauseMs = 500;

/** Checks that each acknowledged mail is listed once. */
export async function accountMails(
  client: HonestClient,
  inboxId: string,
  mails: HonestMail[],
): Promise<Accounts> {
  const look = async () => {
    const listed = await client.all<Listed>(
      `/messages?inbox_id=${inboxId}&direction=inbound&limit=100`,
      'messages',
    );
    return compare(
      mails.flatMap(({ messageId, takenAt }) => (takenAt === null ? [] : [messageId])),
      listed.map(({ message_id }) => message_id),
    );
  };
  return settled(look);
}

/**
 * Checks that each acknowledged send reached an outcome once, and arrived once if it went to the tenant's other inbox. A message whose
 * delivery was under way when a process was killed may be `failed`, unconfirmed.
 */
export async function accountSends(
  client: HonestClient,
  from: { id: string },
  to: { id: string },
  sends: HonestSend[],
): Promise<Accounts> {
  const answered = sends.filter(({ id }) => id !== null);
  const look = async () => {
    const sent = await client.all<Listed>(
      `/messages?inbox_id=${from.id}&direction=outbound&limit=100`,
      'messages',
    );
    const arrived = await client.all<Listed>(
      `/messages?inbox_id=${to.id}&direction=inbound&limit=100`,
      'messages',
    );
    const ended = sent.filter((message) => hasLeft(message.delivery_status) || isUnconfirmed(message));
    const delivered = new Set(
      sent.flatMap(({ client_id, delivery_status }) => (hasLeft(delivery_status) ? [client_id] : [])),
    );
    const within = answered.filter(({ isWithin, clientId }) => isWithin && delivered.has(clientId));
    const clientIds = (some: HonestSend[]) => some.map(({ clientId }) => clientId);
    const there = compare(
      clientIds(answered),
      ended.map(({ client_id }) => client_id ?? ''),
    );
    const here = compare(
      clientIds(within),
      arrived.map(({ subject }) => subject),
    );
    return { lost: [...there.lost, ...here.lost], twice: [...there.twice, ...here.twice] };
  };
  return settled(look);
}

/** The sandbox says `sent` of addresses outside, and `delivered` of inboxes here. */
function hasLeft(status: string): boolean {
  return status === 'delivered' || status === 'sent';
}

function isUnconfirmed({ delivery_status, recipients }: Listed): boolean {
  return (
    delivery_status === 'failed' &&
    recipients.every(({ status, detail }) => hasLeft(status) || detail?.startsWith('unconfirmed'))
  );
}

/** Checks that each follower got the whole log. Only sockets and polls promise each event once. */
export async function accountEvents(
  client: HonestClient,
  from: string,
  followers: Follower[],
): Promise<Accounts> {
  const look = async () => {
    const log: FollowedEvent[] = [];
    for (let after = from; ; ) {
      const page = await client.insist('GET', `/events?after=${after}&limit=100`);
      const events = page.events as FollowedEvent[];
      log.push(...events);
      after = String(page.next_cursor);
      if (events.length === 0) break;
    }
    const lost: string[] = [];
    const twice: string[] = [];
    for (const { name, had } of followers) {
      const wanted = name === 'webhook' ? log.filter(({ event }) => event === 'message.received') : log;
      lost.push(...wanted.flatMap(({ id }) => (had.has(id) ? [] : [`${name}: ${id}`])));
      if (name !== 'webhook')
        twice.push(...[...had].flatMap(([id, times]) => (times > 1 ? [`${name}: ${id}`] : [])));
    }
    return { lost, twice };
  };
  return settled(look);
}

/** Returns the wanted names that are not there, and the names that are there more than once. */
export function compare(wanted: string[], there: string[]): Accounts {
  const counts = new Map<string, number>();
  for (const name of there) counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    lost: wanted.filter((name) => !counts.has(name)),
    twice: [...counts].flatMap(([name, count]) => (count > 1 ? [name] : [])),
  };
}

/** Looks until nothing is lost or the time for it is over. */
async function settled(look: () => Promise<Accounts>): Promise<Accounts> {
  const until = performance.now() + settleMsMax;
  for (;;) {
    const seen = await look();
    if (seen.lost.length === 0 || performance.now() > until) return seen;
    await sleep(settlePauseMs);
  }
}
