import type { SinkContent } from '@postrider/testkit/smtp/sink-script.ts';
import type { Send } from './send-load.ts';

/** A time in which nothing of some senders may leave: from the acknowledgement of the stop until it is about to end. */
export interface Stop {
  concerns(send: Send): boolean;
  fromMs: number;
  untilMs: number;
  name: string;
}

/** Sends that went on although they were stopped. */
export interface Breaches {
  /** Contents that began after the acknowledgement. */
  begun: string[];
  /** Contents that the relay was still taking at the acknowledgement. */
  notEnded: string[];
  /** Sends that began after the acknowledgement and were accepted before the end. */
  accepted: string[];
}

/** Compares what came in at the relay, and what was accepted, with the times at which it was stopped. */
export function findBreaches(
  contents: readonly SinkContent[],
  sends: readonly Send[],
  byAddress: ReadonlyMap<string, Send>,
  stops: readonly Stop[],
): Breaches {
  const found: Breaches = { begun: [], notEnded: [], accepted: [] };
  for (const { recipients, begunAtMs, answeredAtMs } of contents) {
    const send = byAddress.get(recipients[0] ?? '');
    if (!send) continue;
    const late = stops.find((stop) => isIn(stop, begunAtMs) && stop.concerns(send));
    if (late)
      found.begun.push(`${send.address}, ${Math.round(begunAtMs - late.fromMs)} ms after ${late.name}`);
    const open = stops.find(
      ({ fromMs, concerns }) => begunAtMs < fromMs && (answeredAtMs ?? fromMs + 1) > fromMs && concerns(send),
    );
    if (open) found.notEnded.push(`${send.address}, at ${open.name}`);
  }
  for (const send of sends) {
    if (send.answer?.status !== 201) continue;
    const stop = stops.find(
      (one) => isIn(one, send.begunAtMs) && isIn(one, send.answeredAtMs) && one.concerns(send),
    );
    if (stop) found.accepted.push(`${send.address}, during ${stop.name}`);
  }
  return found;
}

function isIn({ fromMs, untilMs }: Stop, atMs: number): boolean {
  return atMs > fromMs && atMs < untilMs;
}
