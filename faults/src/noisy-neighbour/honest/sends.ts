import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs } from '../figures.ts';
import type { HonestClient } from './requests.ts';

/** A message that the honest tenant sends, with a `client_id` and therefore once. */
export interface HonestSend {
  clientId: string;
  /** Whether it goes to the tenant's other inbox, where its arrival can be seen. */
  isWithin: boolean;
  begunAt: number;
  /** The id of its message once there was a response; null before. */
  id: string | null;
}

/** A program that sends now and then, and repeats sends without a response. */
export interface HonestSends {
  sends: HonestSend[];
  /** Begins no more sends, and waits for those under way, at most `waitMs`. */
  stop(waitMs: number): Promise<void>;
}

const everyMs = 500;
const retryMs = 500;
const outside = 'ada@outside.example';

/** Starts to send from one inbox, to another and to the outside in turn. */
export function startHonestSends(
  client: HonestClient,
  from: { id: string },
  to: { address: string },
): HonestSends {
  const sends: HonestSend[] = [];
  const state = { givesUp: false };
  const run = `send-${Math.floor(nowMs())}`;
  const sendOne = async (send: HonestSend) => {
    while (!state.givesUp) {
      const { status, body } = await client.request('POST', '/messages', {
        inbox_id: from.id,
        to: [send.isWithin ? to.address : outside],
        subject: send.clientId,
        text: 'A message of the honest tenant.',
        client_id: send.clientId,
      });
      if (status === 200 || status === 201) {
        send.id = String(body.id);
        return;
      }
      await sleep(retryMs);
    }
  };
  const open = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const number = sends.length;
    const send: HonestSend = {
      clientId: `${run}-${number}`,
      isWithin: number % 2 === 0,
      begunAt: nowMs(),
      id: null,
    };
    sends.push(send);
    const sending = sendOne(send);
    open.add(sending);
    void sending.finally(() => open.delete(sending));
  }, everyMs);
  const stop = async (waitMs: number) => {
    clearInterval(timer);
    await Promise.race([Promise.all(open), sleep(waitMs)]);
    state.givesUp = true;
    await Promise.all(open);
  };
  return { sends, stop };
}
