import { isAscii } from 'node:buffer';
import { sesMessageIds, sesRegionOf } from '../aws/ses-message-ids.ts';
import { parseReply } from './classify-reply.ts';
import { createHandoverSource } from './handover-source.ts';
import { findProviderMessageId } from './provider-message-id.ts';
import type { Relay } from './relay.ts';
import { isLostConnection, judgeFailure, toFailure } from './relay-failure.ts';
import type { RelaySession } from './relay-session.ts';
import { transferLimitMs } from './relay-timing.ts';
import type { Accepted, Outcome, TransportJob } from './transport.ts';

/** The result of an attempt over one session. */
export interface Handover {
  outcome: Outcome;
  /** Whether the peer may have got anything of the message, or the caller was told so. If not, another server may be tried. */
  isBegun: boolean;
  /** Whether a connection that had carried mail before turned out to be lost, so that a new one to the same server may be tried. */
  isStale: boolean;
  /** Whether the server refused the recipient with 5xx: it works, whatever it says of itself. */
  hasRefusedRecipient: boolean;
}

/**
 * Sends one message over a borrowed session, which `release` takes back. An accepted message is sent, not yet delivered. Rejects only with
 * the error of `onHandover`.
 */
export async function handOver(
  job: TransportJob,
  session: RelaySession,
  release: (session: RelaySession) => void,
): Promise<Handover> {
  const { raw, returnPath: envelopeFrom, recipient, signal } = job;
  const isReused = session.served > 0;
  const source = createHandoverSource(raw, job.onHandover, (phase) => session.progressed(phase));
  const delivery = { envelopeFrom, recipient, sizeBytes: raw.length, eightBit: !isAscii(raw), source };
  const limitMs = transferLimitMs(session.timing, raw.length);
  const limit = setTimeout(() => {
    if (source.phase() !== 'complete')
      session.destroy(`The server did not take the message within ${Math.ceil(limitMs / 1_000)} s.`);
  }, limitMs);
  try {
    const reply = await session.deliver(delivery, signal);
    release(session);
    return {
      outcome: acceptedBy(session.relay, reply),
      isBegun: true,
      isStale: false,
      hasRefusedRecipient: false,
    };
  } catch (error) {
    const failure = toFailure(error);
    if (session.alive) void session.reset().then(() => release(session));
    // The caller must not get an outcome while it is still being told that the message is sent.
    const handoverError = await source.settled();
    if (handoverError !== null) throw handoverError;
    const isBegun = source.phase() !== 'envelope';
    return {
      outcome: judgeFailure(failure, source.phase()),
      isBegun,
      isStale: isReused && !isBegun && isLostConnection(failure) && !signal?.aborted,
      hasRefusedRecipient: failure.command === 'RCPT TO' && /^5/.test(failure.reply ?? ''),
    };
  } finally {
    clearTimeout(limit);
  }
}

function acceptedBy({ host }: Relay, reply: string): Accepted {
  const providerMessageId = findProviderMessageId(reply);
  const detail = parseReply(reply)?.text ?? null;
  const region = sesRegionOf(host);
  const messageIds =
    region !== null && providerMessageId !== null && sesMessageIds(providerMessageId, region);
  return { kind: 'accepted', providerMessageId, detail, final: false, ...(messageIds && { messageIds }) };
}
