import { userAgent } from '../generated/brand.ts';
import { fetchWhole, readData } from './answer.ts';
import type { Answered } from './api-promise.ts';
import { errorFor } from './call-failure.ts';
import { type AttemptSettings, makeAttempts } from './retry.ts';

/**
 * Returns the bytes of a file by its link. It sends no key, because the link needs none and may lead to a
 * server that must not see the key.
 */
export async function downloadFile(
  url: string,
  fetch: typeof globalThis.fetch,
  settings: AttemptSettings,
): Promise<Answered<Uint8Array<ArrayBuffer>>> {
  const headers = { 'user-agent': userAgent };
  const call = { name: 'attachments.download', attempts: 0 };
  const startMs = performance.now();
  const attempt = (signal: AbortSignal) => {
    call.attempts += 1;
    return fetchWhole(fetch, url, { method: 'GET', headers, signal });
  };
  const response = await makeAttempts(url, attempt, settings).catch((thrown: unknown) => {
    throw errorFor(thrown, call, settings, Math.round(performance.now() - startMs));
  });
  if (!response.ok) await readData(response);
  const data = new Uint8Array(await response.clone().arrayBuffer());
  return { data, response, requestId: response.headers.get('x-request-id') };
}
