/*
 * Simulates recipients that do what their address says, to test every possible outcome of a send. They are placed in front of the real
 * transport, so that they exist with each of them. Their outcomes are recorded, suppressed and reported like those of any other recipient.
 */
import { domainOf } from '../../lib/email-address.ts';
import type { OutgoingMail } from '../compose/compose-mail.ts';
import type { ParsedMail } from '../parse/parsed-mail.ts';
import type { SmtpReply } from '../smtp/smtp-callbacks.ts';
import { type Answer, composeAnswer } from './simulator-answer.ts';
import { scriptOf, simulatedDelivery } from './simulator-scripts.ts';
import { deferredByRelay, type Outcome, type Transport, type TransportJob } from './transport.ts';

/** The functions by which the simulator reads a message and replies to it. */
export interface SimulatorSurroundings {
  parse(raw: Buffer, envelopeFrom: string): Promise<ParsedMail>;
  compose(mail: OutgoingMail): Promise<Buffer>;
  /** Receives a reply as if it had come by SMTP. */
  deliverLocally(answer: Answer): Promise<SmtpReply>;
}

/** Returns the transport with the addresses of `domain` simulated. Mail to all other addresses is sent by the transport itself. */
export function createSimulatorTransport(
  transport: Transport,
  domain: string,
  { parse, compose, deliverLocally }: SimulatorSurroundings,
): Transport {
  const inFlight = new Set<Promise<Outcome>>();
  let closed = false;
  const isSimulated = (address: string) => domainOf(address) === domain;

  async function simulate({
    raw,
    envelopeFrom,
    recipient,
    attempt,
    onHandover,
  }: TransportJob): Promise<Outcome> {
    const script = scriptOf(recipient, attempt);
    if (script.outcome.kind !== 'accepted') return script.outcome;
    const answer =
      script.answer &&
      (await composeAnswer(script.answer, recipient, await parse(raw, envelopeFrom), compose));
    await onHandover();
    if (script.answer === null) return script.outcome;
    if (answer === null) return simulatedDelivery('delivered; automatic mail is not answered');
    const { code, enhanced, text } = await deliverLocally(answer);
    const isTemporary = code >= 400 && code < 500;
    return isTemporary ? deferredByRelay(`${code} ${enhanced} ${text}`) : script.outcome;
  }

  return {
    name: transport.name,
    submit: async (job) => {
      if (!isSimulated(job.recipient)) return transport.submit(job);
      if (closed || job.signal?.aborted) return deferredByRelay('The transport is closing.');
      const outcome = simulate(job);
      inFlight.add(outcome);
      return outcome.finally(() => inFlight.delete(outcome));
    },
    check: () => transport.check(),
    close: async (graceMs) => {
      closed = true;
      await Promise.all([transport.close(graceMs), Promise.allSettled(inFlight)]);
    },
  };
}
