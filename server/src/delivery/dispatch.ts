import type { Deps } from '../deps.ts';
import { returnDomain } from '../domains/mail-domain.ts';
import { wait } from '../lib/concurrency/wait.ts';
import { makeReturnPath } from '../lib/signed-address.ts';
import { ownAttributes, type SpanAttributes } from '../lib/tracing.ts';
import type { Outcome, Transport, TransportJob } from '../mail/transports/transport.ts';
import { type DeliveryChange, decideDelivery } from './delivery-outcome.ts';
import { keepLease, type Lease, LeaseLost, recordOutcome } from './recipient-state.ts';

const recordAgainMs = 1_000;
const recordTriesMax = 600;

/** A recipient whose lease this process holds. */
export interface DeliveryJob extends Lease {
  /** The envelope sender; empty for automatic mail, on which nobody reports. */
  envelopeFrom: string;
  /** Whether that is at a domain of its workspace. */
  hasOwnDomain: boolean;
  /** The place of the recipient among those of the message. */
  position: number;
  expiresAt: Date;
  isTest: boolean;
  /** The `traceparent` of its cause; by default that is the span that runs. */
  traceparent?: string | null;
}

/** The steps of an attempt before the message is handed over, and before its outcome is recorded. */
interface AttemptSteps {
  handOver(job: DeliveryJob): Promise<void>;
  beforeOutcome?(): Promise<void>;
}

/** The recorded outcome of a recipient, with its time. */
export interface Written extends DeliveryChange {
  at: Date;
}

/**
 * Hands a message over for each of its recipients and resolves once all have an outcome; continues even if nobody waits. Returns the
 * recorded outcome of each, or null if the recipient was cancelled, taken over or given up.
 */
export async function dispatch(
  deps: Deps,
  jobs: DeliveryJob[],
  raw: Buffer,
  steps: AttemptSteps,
): Promise<(Written | null)[]> {
  const deliveries = Promise.allSettled(jobs.map((job) => deliver(deps, job, raw, steps)));
  deps.background.run(deliveries.then(throwFirst));
  return (await deliveries).map((result) => (result.status === 'fulfilled' ? result.value : null));
}

/** Failures of a peer become outcomes, so an error that is thrown is ours and has to be logged. */
function throwFirst(results: PromiseSettledResult<unknown>[]): void {
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Makes one attempt for one recipient and records the outcome. Returns null if nothing was recorded. */
export function deliver(
  deps: Deps,
  job: DeliveryJob,
  raw: Buffer,
  steps: AttemptSteps,
): Promise<Written | null> {
  return asAttempt(deps, job, async (submit) => {
    const release = keepLease(deps, job);
    try {
      const outcome = await submit({
        raw,
        envelopeFrom: job.envelopeFrom,
        returnPath: createReturnPath(deps, job),
        recipient: job.address,
        names: { workspaceId: job.workspaceId, messageId: job.messageId, position: job.position },
        attempt: job.attempts,
        onHandover: () => steps.handOver(job),
      });
      await steps.beforeOutcome?.();
      return await settle(deps, job, outcome);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      deps.log.info(
        { messageId: job.messageId, recipient: job.address, reason: error.message },
        'an attempt ended without an outcome',
      );
      return null;
    } finally {
      release();
    }
  });
}

/** Runs an attempt as a span. `submit` hands its message over with the transport for the recipient. */
export function asAttempt<T>(
  deps: Pick<Deps, 'transport' | 'testTransport' | 'tracing'>,
  { isTest, traceparent }: Pick<DeliveryJob, 'isTest' | 'traceparent'>,
  attempt: (submit: Transport['submit']) => Promise<T>,
): Promise<T> {
  const transport = chooseTransport(deps, { isTest });
  return deps.tracing.trace('send mail', { kind: 'client', parent: traceparent }, (span) =>
    attempt(async (job) => {
      span.add(describeJob(job, transport));
      const onServer = ({ host, port }: { host: string; port: number }) =>
        span.add({ 'server.address': host, 'server.port': port });
      const outcome = await transport.submit({ ...job, onServer });
      span.add({ [ownAttributes.outcome]: outcome.kind });
      if ('code' in outcome) span.fail(outcome.enhanced ?? String(outcome.code ?? outcome.kind));
      if (outcome.kind === 'unconfirmed') span.fail(outcome.kind);
      return outcome;
    }),
  );
}

function describeJob({ names, attempt }: TransportJob, transport: Transport): SpanAttributes {
  return {
    'messaging.system': 'email',
    'messaging.operation.name': 'send',
    'messaging.message.id': names?.messageId ?? null,
    [ownAttributes.workspace]: names?.workspaceId ?? null,
    [ownAttributes.transport]: transport.name,
    [ownAttributes.attempt]: attempt,
  };
}

/** Returns the address to which reports about a recipient return; empty for automatic mail. */
function createReturnPath(deps: Deps, job: DeliveryJob): string {
  const { envelopeFrom: address, hasOwnDomain } = job;
  return address && makeReturnPath(deps.keys, returnDomain(deps, { address, hasOwnDomain }), job);
}

/** Decides and records an outcome. Returns null if it came too late to count. */
export async function settle(deps: Deps, job: DeliveryJob, outcome: Outcome): Promise<Written | null> {
  deps.metrics.deliveries.inc({ outcome: outcome.kind });
  const at = deps.clock.now();
  const { address: recipient, attempts, expiresAt } = job;
  const change = decideDelivery(outcome, { recipient, attempts, expiresAt, at, timeScale: deps.timeScale });
  if (change.status !== 'delivered' && change.status !== 'sent') {
    deps.log.info(
      { messageId: job.messageId, recipient, status: change.status, detail: change.detail },
      'not delivered',
    );
  }
  if (!(await recordSurely(deps, job, change, at))) return null;
  if (change.dueAt) deps.wakeups.wake(job.workspaceId, 'deliveries');
  return { ...change, at };
}

/** The recipient may already have the message, so the outcome is recorded even if the database is unavailable for a while. */
async function recordSurely(
  deps: Deps,
  job: DeliveryJob,
  change: DeliveryChange,
  at: Date,
): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      const attempts = change.isEvidence ? null : job.attempts;
      if (await recordOutcome(deps, job, change, at, attempts)) return true;
      const { messageId, address: recipient } = job;
      deps.log.warn({ messageId, recipient, status: change.status }, 'an outcome came too late to count');
      return false;
    } catch (error) {
      if (tries === recordTriesMax) throw error;
      deps.log.warn({ err: error, messageId: job.messageId }, 'an outcome was not written, trying again');
      await wait(recordAgainMs);
    }
  }
}

/** Returns the transport for mail to a recipient. Mail of a test workspace never leaves the sandbox. */
export function chooseTransport(
  deps: Pick<Deps, 'transport' | 'testTransport'>,
  job: { isTest: boolean },
): Transport {
  return job.isTest ? deps.testTransport : deps.transport;
}
