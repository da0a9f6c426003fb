import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsoleBrowser } from '@postrider/testkit/http/console-browser.ts';
import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { postMessage } from '../post-message.ts';
import type { Trial } from '../trial.ts';

const callers = 8;
const thinkingMsMax = 150;
const repeatMs = 50;

/** The decisions of people about a message. */
export type Fate = 'approve' | 'refuse' | 'leave';

/** One message of a caller, and how far it has come. */
export interface Proposal {
  address: string;
  fate: Fate;
  phase: 'sending' | 'held' | 'deciding' | 'decided';
  id: string | null;
  /** The server that was last asked to send it; null before. */
  sender: ServerProcess | null;
  /** When the approval was first asked for, as `performance.now()`; null before. */
  askedAtMs: number | null;
}

/** Servers, each with the person who decides there. */
export interface Desk {
  servers: ServerProcess[];
  key: string;
  inboxId: string;
  /** Returns the person at a server, signed in. */
  personAt(server: ServerProcess): ConsoleBrowser;
}

/**
 * Starts callers that each send one message after another and repeat what is not answered. Then a person looks at the message and
 * decides, which is also repeated until there is a response, at any of the servers. Every tenth message is left undecided.
 */
export function startProposing(trial: Trial, desk: Desk) {
  const stop = new AbortController();
  const proposals: Proposal[] = [];
  let repeats = 0;
  const until = async <T>(number: number, ask: (server: ServerProcess) => Promise<T | null>): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      const server = desk.servers[(number + attempt) % desk.servers.length]!;
      const answer = await ask(server).catch(() => null);
      if (answer !== null) return answer;
      repeats++;
      await sleep(repeatMs);
    }
  };
  const propose = async (number: number): Promise<void> => {
    const fate: Fate = number % 10 === 9 ? 'leave' : trial.random() < 0.7 ? 'approve' : 'refuse';
    const address = `${fate}-${number}@example.com`;
    const proposal: Proposal = { address, fate, phase: 'sending', id: null, sender: null, askedAtMs: null };
    proposals.push(proposal);
    const body = {
      inbox_id: desk.inboxId,
      to: [address],
      subject: `Proposal ${number}`,
      text: 'A line of a text that is on its way for a while.\n'.repeat(200),
      ...(trial.control ? {} : { client_id: `proposal-${number}` }),
    };
    proposal.id = await until(number, async (server) => {
      proposal.sender = server;
      const answer = await postMessage(server.url, desk.key, body);
      return answer?.status === 200 || answer?.status === 201 ? (answer.id ?? null) : null;
    });
    proposal.phase = 'held';
    await sleep(trial.random() * thinkingMsMax);
    if (fate !== 'leave') await decide(proposal, fate, number);
  };
  const decide = async (proposal: Proposal, decision: Exclude<Fate, 'leave'>, number: number) => {
    const shown = await until(number, async (server) => {
      const { status, body } = await desk.personAt(server).request(`/approvals/${proposal.id}`);
      if (status === 200) return body as { message_id: string; content_hash: string };
      return status === 404 ? 'never held' : null;
    });
    if (shown === 'never held') return;
    const { message_id, content_hash } = shown;
    const body = { decision, messages: [{ message_id, content_hash }], reason: 'not now' };
    proposal.askedAtMs = performance.now();
    proposal.phase = 'deciding';
    await until(number + 1, async (server) => {
      const answer = await desk.personAt(server).request('/approvals/decide', { method: 'POST', body });
      return answer.status === 200 ? true : null;
    });
    proposal.phase = 'decided';
  };
  let next = 0;
  const caller = async () => {
    while (!stop.signal.aborted) await propose(next++);
  };
  const ended = Promise.all(Array.from({ length: callers }, caller));
  return {
    proposals,
    stop: async (): Promise<{ repeats: number }> => {
      stop.abort();
      await ended;
      return { repeats };
    },
  };
}
