import type { ServerHome } from '@postrider/testkit/servers/server-process.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import type { Postrider } from 'postrider';
import { checkSends } from '../invariants.ts';
import type { Trial } from '../trial.ts';
import type { Proposal } from './proposals.ts';

/** The invariants of approvals, by their names in reports. */
export const approvalInvariants = {
  unapproved: 'copies of messages that nobody had approved',
  lost: 'approved messages that are neither sent nor unconfirmed',
  otherBytes: 'copies that differ from what was shown',
  notRejected: 'refused messages that are not rejected with the reason',
  events: 'refused messages without exactly one event',
  notHeld: 'undecided messages that are no longer held',
  decisions: 'decided messages without exactly one decision in the audit log',
  unlisted: 'messages that no caller was told of',
} as const;

const none = { exactly: 0 };
const askedAtOnce = 10;

/** The parties whose records are compared after the last kill. */
export interface Decided {
  home: ServerHome;
  client: Postrider;
  sink: MailSink;
  inboxId: string;
  proposals: Proposal[];
}

/** Compares what people decided with what arrived at the relay, and with what the API and the audit log say. */
export async function judgeApprovals(trial: Trial, decided: Decided): Promise<void> {
  const { client, sink, proposals } = decided;
  const of = (fate: Proposal['fate']) => proposals.filter((proposal) => proposal.fate === fate);
  trial.figure('messages approved', of('approve').length);
  trial.figure('messages refused', of('refuse').length);
  trial.figure('messages left undecided', of('leave').length);
  const byAddress = new Map(proposals.map((proposal) => [proposal.address, proposal]));
  const early = sink.contents.flatMap(({ recipients, begunAtMs }) =>
    recipients.filter((address) => {
      const proposal = byAddress.get(address);
      if (!proposal) return false;
      const { fate, askedAtMs } = proposal;
      return fate !== 'approve' || askedAtMs === null || begunAtMs < askedAtMs;
    }),
  );
  trial.invariant(approvalInvariants.unapproved, early.length, none, early);
  await checkSends(
    trial,
    client,
    sink,
    of('approve').map(({ id }) => id ?? ''),
  );
  await checkApproved(trial, decided, of('approve'));
  await checkBytes(trial, decided, of('approve'));
  await checkRefused(trial, decided, of('refuse'));
  await checkUndecided(trial, decided, of('leave'));
  await checkDecisions(trial, decided);
  await checkListed(trial, decided);
}

/** No recipient is suppressed or blocked, so each gets its message, unless a kill left it unknown whether it has. */
async function checkApproved(trial: Trial, { client }: Decided, approved: Proposal[]): Promise<void> {
  const lost = await filtered(approved, async ({ id }) => {
    const { recipients } = await client.messages.get(id ?? '');
    return recipients.some(({ status, detail }) => status !== 'sent' && !detail?.startsWith('unconfirmed: '));
  });
  trial.invariant(approvalInvariants.lost, lost.length, none, recipientAddresses(lost));
}

async function checkBytes(trial: Trial, { client, sink }: Decided, approved: Proposal[]): Promise<void> {
  const different = await filtered(approved, async ({ id, address }) => {
    const copies = sink.copiesFor(address);
    if (copies.length === 0) return false;
    const { url } = await client.messages.raw(id ?? '');
    const shown = Buffer.from(await (await fetch(url)).arrayBuffer());
    return copies.some(({ raw }) => !raw.equals(shown));
  });
  trial.invariant(approvalInvariants.otherBytes, different.length, none, recipientAddresses(different));
}

async function checkRefused(trial: Trial, { client }: Decided, refused: Proposal[]): Promise<void> {
  const kept = await filtered(refused, async ({ id }) => {
    const { recipients } = await client.messages.get(id ?? '');
    return recipients.some(
      ({ status, detail }) => status !== 'rejected' || detail !== 'not_approved: not now',
    );
  });
  trial.invariant(approvalInvariants.notRejected, kept.length, none, recipientAddresses(kept));
  const events = new Map<string, number>();
  for await (const event of client.events.list({ events: ['message.rejected'], limit: 100 })) {
    const id = event.message?.id ?? '';
    events.set(id, (events.get(id) ?? 0) + 1);
  }
  const odd = refused.filter(({ id }) => events.get(id ?? '') !== 1);
  trial.invariant(approvalInvariants.events, odd.length, none, recipientAddresses(odd));
}

async function checkUndecided(trial: Trial, { client }: Decided, left: Proposal[]): Promise<void> {
  const changed = await filtered(
    left,
    async ({ id }) => (await client.messages.get(id ?? '')).delivery_status !== 'held',
  );
  trial.invariant(approvalInvariants.notHeld, changed.length, none, recipientAddresses(changed));
}

interface AuditPage {
  entries: { action: string; target: string | null }[];
  next_after: number | null;
}

async function checkDecisions(trial: Trial, { home, proposals }: Decided): Promise<void> {
  const acts = new Map<string | null, string[]>();
  for (let after: number | null = 0; after !== null; ) {
    const page = (await home.operate('audit export', { workspace: 'home', after })) as AuditPage;
    for (const { action, target } of page.entries)
      if (action.startsWith('approval.')) acts.set(target, [...(acts.get(target) ?? []), action]);
    after = page.next_after;
  }
  const expected = { approve: 'approval.approved', refuse: 'approval.refused', leave: '' };
  const odd = proposals.filter(({ id, fate }) => (acts.get(id) ?? []).join() !== expected[fate]);
  trial.invariant(approvalInvariants.decisions, odd.length, none, recipientAddresses(odd));
}

async function checkListed(trial: Trial, { client, inboxId, proposals }: Decided): Promise<void> {
  const told = new Set(proposals.map(({ id }) => id));
  const others: string[] = [];
  for await (const { id } of client.messages.list({ inbox_id: inboxId, limit: 100 }))
    if (!told.has(id)) others.push(id);
  trial.invariant(approvalInvariants.unlisted, others.length, none, others);
}

/** Returns the proposals for which `look` finds something, and asks about a few at a time. */
async function filtered(
  proposals: Proposal[],
  look: (one: Proposal) => Promise<boolean>,
): Promise<Proposal[]> {
  const found: Proposal[] = [];
  for (let begun = 0; begun < proposals.length; begun += askedAtOnce) {
    const some = proposals.slice(begun, begun + askedAtOnce);
    const seen = await Promise.all(some.map(look));
    found.push(...some.filter((_, index) => seen[index]));
  }
  return found;
}

function recipientAddresses(proposals: Proposal[]): string[] {
  return proposals.map(({ address }) => address);
}
