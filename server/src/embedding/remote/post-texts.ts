import { type Dispatcher, request } from 'undici';
import { dimensionsMax } from '../../config/embedding.ts';
import { sayError } from '../../lib/start/start-error.ts';
import { judgeStatus, type Rejection } from './judge-status.ts';
import { readVectors } from './read-vectors.ts';

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
/** How much of an error message is passed on. */
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
    if (text === null) return failed(`The answer has more than ${bytesMax} bytes.`, false);
    if (statusCode === 200) return readAnswer(text, texts.length, dimensions);
    return judgeStatus(statusCode, [headers['retry-after']].flat()[0], told(text, key));
  } catch (error) {
    signal.throwIfAborted();
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    return failed(
      isTimeout ? `There was no whole answer within ${timeoutMs} ms.` : hidden(sayError(error), key),
      true,
    );
  }
}

function failed(problem: string, mayPass: boolean): PostOutcome {
  return { kind: 'failed', problem, mayPass, retryAfterMs: null };
}

/** Returns the text of an answer, or null as soon as it is too long. The connection is closed then. */
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
    return failed('The answer is not JSON.', true);
  }
  const vectors = readVectors(answer, count, dimensions);
  return typeof vectors === 'string' ? failed(vectors, false) : { kind: 'answered', vectors };
}

/** Returns what the body of an error says, in one line. */
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
