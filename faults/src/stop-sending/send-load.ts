import { setTimeout as sleep } from 'node:timers/promises';
import { type PostAnswer, postMessage } from '../post-message.ts';
import type { Scene, Sender } from './scene.ts';

/** A send and its response. Its recipient has a number that no other one has. */
export interface Send {
  address: string;
  sender: Sender;
  inboxId: string;
  begunAtMs: number;
  answeredAtMs: number;
  answer: PostAnswer | null;
}

/** Callers that send one message after another. */
export interface SendLoad {
  sends: Send[];
  byAddress: Map<string, Send>;
  /** Has a caller send with another key from now on. */
  change(caller: number, sender: Sender): void;
  senderOf(caller: number): Sender;
  stop(): Promise<void>;
}

export const callers = 20;
const domains = ['one.example', 'two.example', 'three.example'];
/** After a refusal a caller tries again soon, as an agent does that does not give up. */
const retryMs = 5;

/** Starts 20 callers, in turn at each server, with each key and from each inbox of its workspace. */
export function startSendLoad({ servers, senders }: Scene): SendLoad {
  const stop = new AbortController();
  const current = Array.from({ length: callers }, (_, caller) => senders[caller % senders.length]!);
  const sends: Send[] = [];
  const byAddress = new Map<string, Send>();
  const call = async (caller: number) => {
    for (let n = 0; !stop.signal.aborted; n++) {
      const sender = current[caller]!;
      const { inboxes } = sender.workspace;
      const inbox = inboxes[(caller + n) % inboxes.length]!;
      const address = `r-${caller}-${n}@${domains[n % domains.length]}`;
      const times = { begunAtMs: performance.now(), answeredAtMs: Number.POSITIVE_INFINITY };
      const send: Send = { address, sender, inboxId: inbox.id, ...times, answer: null };
      sends.push(send);
      byAddress.set(address, send);
      const { url } = servers[(caller + n) % servers.length]!;
      send.answer = await postMessage(url, sender.key, {
        inbox_id: inbox.id,
        to: [address],
        subject: `Mail ${n} of ${caller}`,
        text: 'A line of a text that is on its way.\n'.repeat(20),
      });
      send.answeredAtMs = performance.now();
      if (send.answer?.status !== 201) await sleep(retryMs);
    }
  };
  const ended = Promise.all(current.map((_, caller) => call(caller)));
  return {
    sends,
    byAddress,
    change: (caller, sender) => {
      current[caller] = sender;
    },
    senderOf: (caller) => current[caller]!,
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
}
