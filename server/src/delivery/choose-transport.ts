import type { Deps } from '../deps.ts';
import type { Transport } from '../mail/transports/transport.ts';

/** Returns the transport that mail to a recipient goes out by. Mail of a test workspace never leaves the sandbox. */
export function chooseTransport(
  deps: Pick<Deps, 'transport' | 'testTransport'>,
  job: { isTest: boolean },
): Transport {
  return job.isTest ? deps.testTransport : deps.transport;
}
