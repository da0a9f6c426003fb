/*
 * Requests that no library would send, to every route: headers of any value, lengths that are not true, bytes that are no HTTP.
 * Each connection comes to its end, and every answer that is not a success is an error of the catalogue.
 */
import { contract, errors, listRoutes } from '@postrider/contract';
import { hostileTexts } from '@postrider/testkit/http/hostile-values.ts';
import { sayHttp } from '@postrider/testkit/http/raw-http.ts';
import { fuzzTest } from '@postrider/testkit/lib/fuzz-rounds.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';

const requestsARoute = 3;
const atOnce = 10;

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const names = [
  'Accept',
  'Accept-Encoding',
  'Authorization',
  'Connection',
  'Content-Encoding',
  'Content-Length',
  'Content-Type',
  'Cookie',
  'Expect',
  'Forwarded',
  'Host',
  'If-Match',
  'If-None-Match',
  'Origin',
  'Range',
  'Transfer-Encoding',
  'Upgrade',
  'X-Forwarded-For',
  'X-HTTP-Method-Override',
  'X-Request-Id',
  '__proto__',
  'x'.repeat(9_000),
  'a b',
  '',
];
const values = [
  ...hostileTexts,
  '5',
  '-5',
  '99999999999999999999',
  'chunked',
  'chunked, identity',
  'gzip',
  'application/json; charset="',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'Bearer',
  'Bearer null',
  'Basic YTpi',
  'bytes=0-0,5-99999999999999999999',
  '100-continue',
  'websocket',
  '127.0.0.1, ::1, unknown',
  'y'.repeat(20_000),
];

const header = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom(...values))
  .map(([name, value]) => `${name}: ${value}`);
const bodies = ['', '{}', '{"a":', '5\r\n{"a":\r\n0\r\n\r\n', '\0', 'GET /v1/inboxes HTTP/1.1\r\n\r\n'];

const request = fc.record({
  headers: fc.array(header, { maxLength: 4 }),
  version: fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/9.9', ''),
  isKnown: fc.constantFrom(true, true, true, false),
  body: fc.constantFrom(...bodies),
});
type Request = typeof request extends fc.Arbitrary<infer R> ? R : never;

const written = (line: string, { headers, version, isKnown, body }: Request): string =>
  [
    `${line} ${version}`,
    'Host: 127.0.0.1',
    ...(isKnown ? [`Authorization: Bearer ${server.key}`, 'Content-Type: application/json'] : []),
    ...headers,
    '',
    body,
  ].join('\r\n');

/** Returns the fault of a response; null if it has none. A connection that speaks no HTTP may be closed without a response. */
const problemOf = async (said: string): Promise<string | null> => {
  const answer = await sayHttp(server.url, said, 3_000).catch((error: Error) => error.message);
  if (typeof answer === 'string') return answer;
  const { status, body } = answer;
  if (status === null || (status >= 200 && status < 300)) return null;
  if (status >= 500) return `${status}: ${body}`;
  return Object.keys(errors).some((code) => body.includes(`"error":"${code}"`)) ? null : `${status}: ${body}`;
};

fuzzTest('every route takes any header and any body that is said to it', 'headers', async (seed) => {
  const routes = listRoutes(contract);
  const requests = fc.sample(request, { seed, numRuns: routes.length * requestsARoute });
  const lines = requests.map((each, index) => {
    const { route } = routes[index % routes.length] ?? {};
    const path = route?.path.replace(/:\w+/g, 'x');
    return written(`${route?.method} ${path}`, each);
  });
  const problems: string[] = [];
  for (let from = 0; from < lines.length; from += atOnce) {
    const some = lines.slice(from, from + atOnce);
    for (const [index, problem] of (await Promise.all(some.map(problemOf))).entries())
      if (problem !== null) problems.push(`${JSON.stringify(some[index])?.slice(0, 1_000)} ${problem}`);
  }
  expect(problems).toEqual([]);
  return lines.length;
});
