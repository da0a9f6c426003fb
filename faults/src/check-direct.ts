import { setTimeout as sleep } from 'node:timers/promises';
import type { Message, Postrider } from 'postrider';
import type { Manner, Receiver } from './direct-destinations.ts';
import type { Trial } from './trial.ts';

/** The invariants of direct mail, by their names in reports. */
export const directInvariants = {
  twice: 'recipients with two copies',
  lostSilently: 'recipients told sent without a copy',
  wrongState: 'recipients in a wrong state at the end',
  wrongServer: 'copies at the server of another domain',
  rate: 'rate of a healthy destination with dead ones, over without',
} as const;

/** A message to one recipient. */
export interface SentDirect {
  id: string;
  recipient: string;
  receiver: Receiver;
}

const settleMsMax = 240_000;
const askedAtOnce = 20;

/** Compares the state of every recipient with what its server has, once nothing changes any more. */
export async function checkDirect(
  trial: Trial,
  client: Postrider,
  sent: SentDirect[],
  all: Receiver[],
): Promise<void> {
  const broken = new Map<string, string[]>();
  const note = (name: string, text: string) => broken.set(name, [...(broken.get(name) ?? []), text]);
  const copies = collectCopies(all);
  const until = performance.now() + settleMsMax;
  for (let begun = 0; begun < sent.length; begun += askedAtOnce) {
    const some = sent.slice(begun, begun + askedAtOnce);
    await Promise.all(
      some.map(async ({ id, recipient, receiver }) => {
        const message = await settledMessage(client, id, receiver.manner, until);
        const { status = 'none', detail = null } = message.recipients[0] ?? {};
        // Collected again, because a retry may have brought it while the others were checked.
        const count = (copies.get(recipient) ?? collectCopies([receiver]).get(recipient) ?? []).length;
        trial.count(`${receiver.manner}: ${status}`);
        const state = `${recipient}: ${status}, ${count} copies, ${detail}`;
        if (status === 'sent' && count === 0) note(directInvariants.lostSilently, state);
        if (!isRight(receiver.manner, status, detail)) note(directInvariants.wrongState, state);
      }),
    );
  }
  for (const [recipient, domains] of collectCopies(all)) {
    if (domains.length > 1) note(directInvariants.twice, recipient);
    if (domains.some((domain) => !recipient.endsWith(`@${domain}`)))
      note(directInvariants.wrongServer, recipient);
  }
  for (const name of [
    directInvariants.twice,
    directInvariants.lostSilently,
    directInvariants.wrongState,
    directInvariants.wrongServer,
  ])
    trial.invariant(name, broken.get(name)?.length ?? 0, { exactly: 0 }, broken.get(name));
}

/** Returns the domains whose servers have a copy, for each recipient. */
function collectCopies(all: Receiver[]): Map<string, string[]> {
  const copies = new Map<string, string[]>();
  for (const { domain, sink } of all)
    for (const { recipients } of sink?.messages ?? [])
      for (const recipient of recipients) copies.set(recipient, [...(copies.get(recipient) ?? []), domain]);
  return copies;
}

const open = ['queued', 'sending', 'deferred'];

/** Whether a server of this manner leaves its recipients in a state. A process that was killed leaves some unconfirmed. */
function isRight(manner: Manner, status: string, detail: string | null): boolean {
  if (manner === 'refuse') return status === 'bounced';
  if (manner === 'hang' || manner === 'dead') return status === 'deferred';
  return status === 'sent' || (status === 'failed' && detail?.startsWith('unconfirmed: ') === true);
}

async function settledMessage(
  client: Postrider,
  id: string,
  manner: Manner,
  untilMs: number,
): Promise<Message> {
  const mayStay = manner === 'hang' || manner === 'dead' ? ['deferred'] : [];
  for (;;) {
    const message = await client.messages.get(id);
    const { status = '' } = message.recipients[0] ?? {};
    if (!open.includes(status) || mayStay.includes(status) || performance.now() > untilMs) return message;
    await sleep(250);
  }
}
