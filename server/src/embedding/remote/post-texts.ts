import { type Dispatcher, request } from 'undici';
import { dimensionsMax } from '../../config/embedding.ts';
import { systemClock } from '../../lib/clock.ts';
import { sayError, settingNames } from '../../lib/start/start-error.ts';
import { unitLength } from '../provider.ts';

/** The service, and how it is asked. */
export interface RemoteTarget {
  /** The whole URL, with `/embeddings`. */
  url: string;
  key: string | null;
  model: string;
  /** Null if it is not known how many numbers a vector has. */
  dimensions: number | null;
}

/** The outcome of one request. */
export type PostOutcome = { kind: 'answered'; vectors: Float32Array[] } | Rejection;

/** Bytes of one number in JSON, at most, and of everything around the numbers. */
const numberBytesMax = 32;
const otherBytesMax = 65_536;
/** The part of an error message that is passed on, in characters. */
const problemCharactersMax = 200;

/**
 * Asks the service once for the vectors of some texts. Redirects are not followed, because the key would go along.
 *
 * @throws the reason of the signal once it is aborted.
 */
export async function postTexts(
  dispatcher: Dispatcher,
  target: RemoteTarget,
  texts: string[],
  {
    signal,
    timeoutMs,
    namesDimensions,
  }: { signal: AbortSignal; timeoutMs: number; namesDimensions: boolean },
): Promise<PostOutcome> {
  const { url, key, model, dimensions } = target;
  const bytesMax = texts.length * (dimensions ?? dimensionsMax) * numberBytesMax + otherBytesMax;
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(key !== null && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model,
        input: texts,
        encoding_format: 'float',
        ...(namesDimensions && dimensions !== null && { dimensions }),
      }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await readText(body, bytesMax);
    if (text === null) return failed(`The response has more than ${bytesMax} bytes.`, false);
    if (statusCode === 200) return readAnswer(text, texts.length, dimensions);
    return judgeStatus(statusCode, [headers['retry-after']].flat()[0], told(text, key));
  } catch (error) {
    signal.throwIfAborted();
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    return failed(
      isTimeout ? `There was no complete response within ${timeoutMs} ms.` : hidden(sayError(error), key),
      true,
    );
  }
}

function failed(problem: string, mayPass: boolean): PostOutcome {
  return { kind: 'failed', problem, mayPass, retryAfterMs: null };
}

/** Returns the text of a response, or null and closes the connection as soon as the text is too long. */
async function readText(body: Dispatcher.ResponseData['body'], bytesMax: number): Promise<string | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > bytesMax) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function readAnswer(text: string, count: number, dimensions: number | null): PostOutcome {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return failed('The response is not JSON.', true);
  }
  const vectors = readVectors(answer, count, dimensions);
  return typeof vectors === 'string' ? failed(vectors, false) : { kind: 'answered', vectors };
}

/** Returns the error in the body of a response, on one line. */
function told(text: string, key: string | null): string {
  const message = messageIn(text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return message === '' ? '.' : `: ${hidden(message.slice(0, problemCharactersMax), key)}`;
}

function messageIn(text: string): string {
  try {
    const { error, message } = JSON.parse(text) as {
      error?: { message?: unknown } | string;
      message?: unknown;
    };
    return String((typeof error === 'object' ? error?.message : error) ?? message ?? '');
  } catch {
    return '';
  }
}

function hidden(text: string, key: string | null): string {
  return key === null ? text : text.replaceAll(key, '[key]');
}

/** The reason why there are no vectors. */
type Rejection =
  /** The service works and does not take these texts. */
  | { kind: 'refused'; problem: string }
  /** `mayPass` says whether the same request may succeed later. */
  | { kind: 'failed'; problem: string; mayPass: boolean; retryAfterMs: number | null };

const refusals = new Set([400, 413, 422]);
const passing = new Set([408, 409, 425, 429]);

/** Returns the meaning of a status other than 200. `detail` is what the body says about it, and ends a sentence. */
function judgeStatus(status: number, retryAfter: string | undefined, detail: string): Rejection {
  if (refusals.has(status)) return { kind: 'refused', problem: `Status ${status}${detail}` };
  const failed = (problem: string) =>
    ({ kind: 'failed', problem, mayPass: false, retryAfterMs: null }) as const;
  // The service's message about a wrong key may quote the key.
  if (status === 401 || status === 403)
    return failed(`Status ${status}: the service did not accept the key.`);
  if (status === 404) return failed(`Status 404${detail} Check the URL and the name of the model.`);
  if (status < 500 && !passing.has(status)) return failed(`Status ${status}${detail}`);
  const retryAfterMs = parseRetryAfter(retryAfter, systemClock.now());
  return { ...failed(`Status ${status}${detail}`), mayPass: true, retryAfterMs };
}

/**
 * Returns how long a `Retry-After` header asks to wait from `now` on, in milliseconds (RFC 9110, section 10.2.3). Returns null if it is
 * missing or cannot be read.
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  if (/^\s*\d{1,9}(\.\d+)?\s*$/.test(value)) return Number(value) * 1_000;
  const until = Date.parse(value);
  return Number.isNaN(until) ? null : Math.max(0, until - now.getTime());
}

/**
 * Returns the vectors of a response in the order of the texts, with unit length. Returns a sentence about the problem if the response does
 * not have one vector for each text. Their size must be `dimensions`, or any size if that is null.
 */
export function readVectors(
  answer: unknown,
  count: number,
  dimensions: number | null,
): Float32Array[] | string {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) return 'The response has no list `data`.';
  if (data.length !== count) return `The response has ${data.length} vectors for ${count} texts.`;
  const vectors: Float32Array[] = [];
  for (const [position, entry] of data.entries()) {
    const { embedding, index = position } = (entry ?? {}) as { embedding?: unknown; index?: unknown };
    if (!isNumbers(embedding)) return 'The response has a vector that is not a list of numbers.';
    if (embedding.length !== (dimensions ?? embedding.length))
      return `The vectors have ${embedding.length} dimensions: set ${settingNames.embeddingsDimensions} to that number, not to ${dimensions}.`;
    if (typeof index !== 'number' || !(index in data) || vectors[index])
      return 'The response does not say which vector belongs to which text.';
    vectors[index] = unitLength(embedding);
  }
  return vectors;
}

function isNumbers(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.every((number) => typeof number === 'number' && Number.isFinite(Math.fround(number)))
  );
}
