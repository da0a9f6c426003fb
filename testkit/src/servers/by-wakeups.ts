import { waitingRequests } from '../../../server/src/events/wait-for-change.ts';
import { eventually } from '../lib/eventually.ts';
import type { TestServer } from './test-server.ts';

/** Longer than any test takes. */
export const neverMs = 86_400_000;

/**
 * Runs `work`, in which requests that wait are ended by wake-ups alone: they do not look again by themselves, and a request that has
 * waited for longer than any of them must not end. So `work` tells what ends a wait at once from what ends it at last, however slow the
 * machine is.
 */
export async function byWakeups<T>(server: TestServer, work: () => Promise<T>): Promise<T> {
  const { deps } = server.server;
  const { lookAgainMs } = deps;
  deps.lookAgainMs = neverMs;
  const { id, client } = await server.workspace();
  const enough = new AbortController();
  const control = Promise.resolve(client.messages.list({ wait_seconds: 60 }, { signal: enough.signal }));
  const afterControl = async () => {
    await eventually('the other request to wait', async () => waitingRequests(deps).countOf(id) === 1);
    return work();
  };
  try {
    return await Promise.race([
      afterControl(),
      control.then(() => {
        throw new Error('The request that waited for nothing has ended first.');
      }),
    ]);
  } finally {
    deps.lookAgainMs = lookAgainMs;
    enough.abort();
    await control.catch(() => null);
  }
}
