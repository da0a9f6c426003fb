import type { Circuit } from '../../lib/admission/circuit.ts';
import { deferredByRelay, type Outcome, type Transport, type TransportJob } from './transport.ts';

/** One of several relays, and the rest that it takes after a failure. */
interface FailoverRelay {
  transport: Transport;
  circuit: Circuit;
}

/** Replies by which a relay says that it currently serves nobody, or not us: it is closing, or requires us to sign in. */
const aboutUsCodes = new Set([421, 521, 530, 534, 535, 538]);

/**
 * Creates a transport over several relays, which are tried in order. The next one is tried if a relay cannot be reached or refuses us, and
 * never once the message may have been handed over.
 */
export function createFailoverTransport(relays: FailoverRelay[]): Transport {
  async function submit(job: TransportJob): Promise<Outcome> {
    let outcome: Outcome = deferredByRelay('Each of the relays failed a moment ago.');
    for (const { transport, circuit } of relays) {
      if (!circuit.begin()) continue;
      const attempt = await submitTo(transport, job);
      if (attempt.isCancelled) circuit.abandoned();
      else if (attempt.isDown) circuit.failed();
      else circuit.succeeded();
      if ('error' in attempt) throw attempt.error;
      outcome = attempt.outcome;
      if (!attempt.isRefused || attempt.isCancelled) return outcome;
    }
    return outcome;
  }

  return {
    name: 'smtp',
    submit,
    check: async () => {
      const checks = await Promise.all(relays.map(({ transport }) => transport.check()));
      return {
        ok: checks.every(({ ok }) => ok),
        detail: checks
          .map(({ detail }, index) => `Relay ${index + 1} of ${relays.length}: ${detail}`)
          .join(' '),
      };
    },
    close: async (graceMs) => {
      await Promise.all(relays.map(({ transport }) => transport.close(graceMs)));
    },
  };
}

interface Attempt {
  /** Whether the next relay may be tried. */
  isRefused: boolean;
  /** Whether the relay did not work at all. */
  isDown: boolean;
  isCancelled: boolean;
}

async function submitTo(
  transport: Transport,
  job: TransportJob,
): Promise<Attempt & ({ outcome: Outcome } | { error: unknown })> {
  let isBegun = false;
  const onHandover = () => {
    isBegun = true;
    return job.onHandover();
  };
  const isCancelled = () => job.signal?.aborted === true;
  try {
    const outcome = await transport.submit({ ...job, onHandover });
    const isRefused = outcome.kind === 'deferred' && outcome.cause === 'relay' && !isBegun;
    const isDown = isRefused && (outcome.hasNoSession === true || aboutUsCodes.has(outcome.code ?? 0));
    return { outcome, isRefused, isDown, isCancelled: isCancelled() };
  } catch (error) {
    // The caller did not let the message go. The relay had agreed to take it.
    return { error, isRefused: false, isDown: false, isCancelled: isCancelled() };
  }
}

/**
 * Returns the transport with the recipients of this server delivered by `local`. DNS names this server for them, so that their mail would
 * come back.
 */
export function createLocalFirstTransport(
  transport: Transport,
  local: Transport,
  isLocal: (recipient: string) => Promise<boolean>,
): Transport {
  return {
    name: transport.name,
    submit: async (job) => ((await isLocal(job.recipient)) ? local : transport).submit(job),
    check: () => transport.check(),
    close: async (graceMs) => {
      await Promise.all([transport.close(graceMs), local.close(graceMs)]);
    },
  };
}
