/*
 * Recipients that do what their address says, for tests of everything that a send can come to. They sit in front of the real
 * way out, so that they are there under each; what becomes of them is recorded, suppressed and told as of any other recipient.
 */
import { domainOf } from '../../lib/email-address.ts';
import type { ParsedMail } from '../parse/parsed-mail.ts';
import type { SmtpReply } from '../smtp/smtp-callbacks.ts';
import { type Answer, composeAnswer } from './simulator-answer.ts';
import { scriptOf, simulatedDelivery } from './simulator-scripts.ts';
import { deferredByRelay, type Outcome, type Transport, type TransportJob } from './transport.ts';

/** How the simulator reads what was sent and answers it. */
export interface SimulatorSurroundings {
  parse(raw: Buffer, envelopeFrom: string): Promise<ParsedMail>;
  /** Takes an answer in as if it had come by SMTP. */
  deliverLocally(answer: Answer): Promise<SmtpReply>;
}

/** The transport with the addresses of `domain` simulated; mail to everybody else goes out by it. */
export function createSimulatorTransport(
  transport: Transport,
  domain: string,
  { parse, deliverLocally }: SimulatorSurroundings,
): Transport {
  const inFlight = new Set<Promise<Outcome>>();
  let closed = false;
  const isSimulated = (address: string) => domainOf(address) === domain;

  /**
   * The answer is received before the outcome is known: a process that dies between them leaves a recipient that is tried
   * again, and the answer is then one that was received before.
   */
  async function simulate({ raw, envelopeFrom, recipient, attempt }: TransportJob): Promise<Outcome> {
    const script = scriptOf(recipient, attempt);
    if (script.answer === null) return script.outcome;
    const answer = await composeAnswer(script.answer, recipient, await parse(raw, envelopeFrom));
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
