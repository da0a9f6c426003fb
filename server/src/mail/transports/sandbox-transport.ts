import { randomUUID } from 'node:crypto';
import type { SmtpReply } from '../smtp/smtp-callbacks.ts';
import { classifyReply } from './classify-reply.ts';
import {
  type Accepted,
  deferredByRelay,
  type Outcome,
  type Transport,
  type TransportJob,
} from './transport.ts';

/** The sandbox's access to the inboxes of this server. */
interface SandboxDelivery {
  isLocal(address: string): Promise<boolean>;
  /** Receives the message as if it had come by SMTP. */
  deliverLocally(mail: { raw: Buffer; envelopeFrom: string; recipient: string }): Promise<SmtpReply>;
}

/**
 * Creates a transport that sends nothing to other servers. Mail to an inbox of this server is delivered there, and all other mail is
 * accepted as by a relay, with the detail `sandbox: not sent`.
 */
export function createSandboxTransport(delivery: SandboxDelivery): Transport {
  const inFlight = new Set<Promise<Outcome>>();
  let closed = false;

  async function deliver({ raw, envelopeFrom, recipient, onHandover }: TransportJob): Promise<Outcome> {
    const isLocal = await delivery.isLocal(recipient);
    await onHandover();
    if (!isLocal) return { ...accept('sandbox: not sent'), final: false, isSandboxed: true };
    return judgeAnswer(await delivery.deliverLocally({ raw, envelopeFrom, recipient }));
  }

  return {
    name: 'sandbox',
    async submit(job) {
      if (closed || job.signal?.aborted) return deferredByRelay('The transport is closing.');
      const outcome = deliver(job);
      inFlight.add(outcome);
      return outcome.finally(() => inFlight.delete(outcome));
    },
    check: async () => ({ ok: true, detail: 'The sandbox is on: nothing leaves this server.' }),
    async close() {
      closed = true;
      await Promise.allSettled(inFlight);
    },
  };
}

function accept(detail: string): Accepted {
  return { kind: 'accepted', providerMessageId: newOwnMessageId('sandbox'), detail, final: true };
}

function judgeAnswer({ code, enhanced, text }: SmtpReply): Outcome {
  const detail = `${code} ${enhanced} ${text}`;
  return code < 400 ? accept(detail) : classifyReply({ code, enhanced, text: detail }, 'data');
}

/** Returns a new id for a message that a built-in transport accepts, like the id that a provider gives. */
export function newOwnMessageId(provider: 'sandbox' | 'simulator'): string {
  return `${provider}-${randomUUID()}`;
}
