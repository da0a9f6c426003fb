/* The honest tenant: inbound mail, sends, reads, a long poll, a socket and a webhook, all the time, with its accounts at the end. */
import { answerParent } from './child.ts';
import { summarizeWaits, type Waits } from './figures.ts';
import { type Accounts, accountEvents, accountMails, accountSends } from './honest/account.ts';
import { type Follower, followByPolls, followBySocket, followByWebhook } from './honest/followers.ts';
import { type HonestMails, startHonestMails } from './honest/mail.ts';
import { startHonestReads } from './honest/reads.ts';
import { HonestClient } from './honest/requests.ts';
import { type HonestSends, startHonestSends } from './honest/sends.ts';
import type { Target } from './target.ts';

/** The observations of the honest tenant. */
export interface HonestReport {
  /** From the first connection for a mail to its 250. */
  taken: Waits;
  /** From the 250 of a mail until it is listed. */
  readable: Waits;
  mailsNeverTaken: number;
  /** Replies to mails other than 250, and broken connections. */
  refusals: Record<string, number>;
  sends: number;
  sendsNeverAnswered: number;
  /** Requests other than long polls. */
  requests: Waits;
  failures: Record<string, number>;
  /** From an event to its arrival at the tenant, by the way that it came. */
  events: Record<string, Waits>;
  mailAccounts: Accounts;
  sendAccounts: Accounts;
  eventAccounts: Accounts;
}

interface Mix {
  client: HonestClient;
  inbox: Inbox;
  other: Inbox;
  from: string;
  mails: HonestMails;
  sends: HonestSends;
  followers: Follower[];
  stopReads(): void;
}

interface Inbox {
  id: string;
  address: string;
}

const finishMsMax = 60_000;
let mix: Mix;

async function start({ targets, key }: { targets: Target[]; key: string }): Promise<void> {
  const client = new HonestClient(targets, key);
  const [inbox, other] = await Promise.all(
    ['honest', 'other'].map(
      async (local_part) => (await client.insist('POST', '/inboxes', { local_part })) as unknown as Inbox,
    ),
  );
  if (!inbox || !other) throw new Error('There are no inboxes.');
  const first = { inbox_id: inbox.id, to: ['ada@outside.example'], subject: 'The first event', text: 'x' };
  const { id, thread_id } = await client.insist('POST', '/messages', first);
  let from: unknown = null;
  while (from === null) from = (await client.insist('GET', '/events?limit=100')).next_cursor;
  const followers = [followByPolls(client, String(from)), followBySocket(client, String(from))];
  followers.push(await followByWebhook(client));
  mix = {
    client,
    inbox,
    other,
    from: String(from),
    followers,
    mails: startHonestMails(client, inbox),
    sends: startHonestSends(client, inbox, other),
    stopReads: startHonestReads(client, {
      inboxId: inbox.id,
      messageId: String(id),
      threadId: String(thread_id),
    }),
  };
}

/** Begins nothing more, and waits for everything under way. */
async function stop(): Promise<void> {
  mix.stopReads();
  await Promise.all([mix.mails.stop(finishMsMax), mix.sends.stop(finishMsMax)]);
}

async function report({ from, to }: { from: number; to: number }): Promise<HonestReport> {
  const { client, inbox, other, mails, sends, followers } = mix;
  const mailAccounts = await accountMails(client, inbox.id, mails.mails);
  const sendAccounts = await accountSends(client, inbox, other, sends.sends);
  const eventAccounts = await accountEvents(client, mix.from, followers);
  await Promise.all(followers.map((follower) => follower.stop()));
  const seen = mails.mails.filter(({ begunAt }) => begunAt >= from && begunAt < to);
  const made = client.made.filter(({ at, path }) => at >= from && at < to && path !== 'GET /events');
  return {
    taken: summarizeWaits(seen.flatMap(({ begunAt, takenAt }) => (takenAt ? [takenAt - begunAt] : []))),
    readable: summarizeWaits(
      seen.flatMap(({ takenAt, listedAt }) => (takenAt && listedAt ? [listedAt - takenAt] : [])),
    ),
    mailsNeverTaken: seen.filter(({ takenAt }) => takenAt === null).length,
    refusals: counted(seen.flatMap(({ refusals }) => refusals)),
    sends: sends.sends.length,
    sendsNeverAnswered: sends.sends.filter(({ id }) => id === null).length,
    requests: summarizeWaits(made.map(({ tookMs }) => tookMs)),
    failures: counted(
      made.filter(({ outcome }) => !/^2/.test(outcome)).map(({ path, outcome }) => `${path}: ${outcome}`),
    ),
    events: Object.fromEntries(followers.map(({ name, waits }) => [name, summarizeWaits(waits)])),
    mailAccounts,
    sendAccounts,
    eventAccounts,
  };
}

function counted(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

answerParent({
  start,
  retarget: (targets: Target[]) => {
    mix.client.targets = targets;
  },
  stop,
  report,
});
