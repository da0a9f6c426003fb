import { ConnectionError, PostriderError } from '../errors.ts';
import { environment } from '../generated/brand.ts';
import { makeError } from './api-error.ts';

const stackLines = 4;
const bodilessStatuses = [204, 205, 304];

/**
 * Sends one request and reads the whole response. A connection that breaks during the response then fails like one that could not be
 * opened. Rejects with a `ConnectionError`, or with the reason of the signal once it is aborted.
 */
export async function fetchWhole(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit & { signal: AbortSignal },
): Promise<Response> {
  try {
    const response = await fetch(url, init);
    const { status, statusText, headers } = response;
    // Browsers hide where a redirect leads.
    if (response.type === 'opaqueredirect')
      throw new PostriderError('the server redirects, and calls do not follow redirects');
    const body = bodilessStatuses.includes(status) ? null : await response.arrayBuffer();
    return new Response(body, { status, statusText, headers });
  } catch (thrown) {
    if (init.signal.aborted) throw thrown;
    const cause = innermost(thrown);
    const [place] = url.split('?');
    const advice = `Is the server running there? Set the address with baseURL or ${environment.baseURL}.`;
    throw new ConnectionError(
      `${init.method} ${place}: no response, because ${findReason(cause)}. ${advice}`,
      {
        cause,
      },
    );
  }
}

/**
 * Returns the innermost error, which has the reason for a failed connection. The outer `fetch failed` does
 * not have it.
 */
function innermost(error: unknown): unknown {
  const { cause, errors } = Object(error);
  if (cause !== undefined) return innermost(cause);
  if (Array.isArray(errors) && errors.length > 0) return innermost(errors[0]);
  // The stack frames inside `fetch` are of no help and would fill most of the output for an uncaught error.
  if (error instanceof Error && error.stack) error.stack = error.stack.split('\n', stackLines).join('\n');
  return error;
}

function findReason(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}

/**
 * Returns the data of a response, or undefined if it has none (204). Throws an `APIError` if the status is an
 * error or the body is not JSON.
 */
export async function readData<Data>(response: Response): Promise<Data> {
  const { status, headers, ok } = response;
  if (status === 204) return undefined as Data;
  const text = await response.clone().text();
  const body = parse(text);
  if (ok && body !== undefined) return body as Data;
  throw makeError({ status, headers, body: body ?? (text === '' ? undefined : text) });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
