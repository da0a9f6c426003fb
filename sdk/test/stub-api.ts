import { HttpResponse, http, type JsonBodyType } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type ClientOptions, Postrider } from '../src/index.ts';

/** Where the stub of the API stands. */
export const stubBaseURL = 'http://api.test/v1';

/** A request as the stub saw it. */
export interface SeenRequest {
  method: string;
  /** Path and query below the base URL. */
  path: string;
  headers: Headers;
  /** The parsed body; undefined when there was none. */
  body: unknown;
}

type Answer = (seen: SeenRequest) => Response | Promise<Response>;

/** An answer as the API gives it. */
export function answer(status: number, body?: JsonBodyType, headers: Record<string, string> = {}): Response {
  const all = { 'x-request-id': 'req_stub', ...headers };
  return body === undefined
    ? new HttpResponse(null, { status, headers: all })
    : HttpResponse.json(body, { status, headers: all });
}

/** An error answer as the API gives it. */
export function errorAnswer(status: number, error: string, extra: object = {}, headers = {}): Response {
  return answer(status, { error, message: `It is ${error}.`, request_id: 'req_stub', ...extra }, headers);
}

/** Answers as the given function does, but each request with this error when it comes for the first time. */
export function failingOnce(answerOf: Answer, status = 503, error = 'unavailable'): Answer {
  const seenPaths = new Set<string>();
  return (seen) => {
    if (seenPaths.has(seen.path)) return answerOf(seen);
    seenPaths.add(seen.path);
    return errorAnswer(status, error);
  };
}

/** A stub of the API for the tests of one file: `reply` says what it answers, in turn; the last answer stays. */
export function stubApi() {
  const server = setupServer();
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());

  function reply(...answers: Answer[]): SeenRequest[] {
    const seen: SeenRequest[] = [];
    const handler = http.all(`${stubBaseURL}/*`, async ({ request }) => {
      const text = await request.text();
      seen.push({
        method: request.method,
        path: request.url.slice(stubBaseURL.length),
        headers: request.headers,
        body: text === '' ? undefined : JSON.parse(text),
      });
      const next = answers[Math.min(seen.length, answers.length) - 1];
      return next === undefined ? HttpResponse.error() : next(seen[seen.length - 1] as SeenRequest);
    });
    server.use(handler);
    return seen;
  }

  function client(options: ClientOptions = {}): Postrider {
    return new Postrider({ apiKey: 'pr_test_key', baseURL: stubBaseURL, maxRetries: 1, ...options });
  }

  return { reply, client };
}
