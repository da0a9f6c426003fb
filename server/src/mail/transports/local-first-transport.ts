import type { Transport } from './transport.ts';

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
