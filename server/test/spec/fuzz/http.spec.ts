/*
 * Every parameter, field and header of every route is given what it does not expect: no answer is a 5xx, none takes
 * long, none shows another workspace, and each fits openapi.json.
 */
import { gzipSync } from 'node:zlib';
import { hostileText, hostileValue } from '@postrider/testkit/http/hostile-values.ts';
import type { PlainAnswer, PlainRequest } from '@postrider/testkit/http/plain-request.ts';
import { listPlaces, type RequestPlace, withValueAt } from '@postrider/testkit/http/request-places.ts';
import { routeRequests } from '@postrider/testkit/http/route-requests.ts';
import { fuzzTest } from '@postrider/testkit/lib/fuzz-rounds.ts';
import {
  joinTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import {
  fillWorkspace,
  unknownId,
  type WorkspaceThings,
} from '@postrider/testkit/servers/workspace-things.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';

/** The most processor time of this process, in which the server runs, that an answer may take. */
const answerMsMax = 5_000;
const valuesAPlace = 1;

let server: TestServer;
let theirs: TestWorkspace;
let own: WorkspaceThings;
let foreign: WorkspaceThings;

beforeAll(async () => {
  server = await joinTestServer();
  theirs = await server.workspace();
  own = await fillWorkspace(server, server);
  foreign = await fillWorkspace(server, theirs);
});
afterAll(() => server.stop());

const places = listPlaces();

/** A valid request of a route; of one that deletes, for something that is not there, so that the rest keeps its ids. */
const validRequest = ({ name, method }: RequestPlace) =>
  routeRequests[name]?.((named) => (method === 'DELETE' ? unknownId(named) : own.ids[named])) ?? {};

const requestWith = (place: RequestPlace, value: unknown): { path: string; request: PlainRequest } => {
  const valid = validRequest(place);
  const [key = ''] = place.keys;
  const path = { ...valid.path, ...(place.in === 'path' && { [key]: textOf(value) }) };
  const query = { ...valid.query, ...(place.in === 'query' && { [key]: textOf(value) }) };
  const body = place.in === 'body' ? withValueAt(valid.body, place.keys, value) : valid.body;
  const filled = place.template.replace(/\{(\w+)\}/g, (_, each: string) => encode(path[each] ?? ''));
  const search = Object.entries(query).map(([each, text]) => `${each}=${encode(text)}`);
  return {
    path: `/v1${filled}${search.length > 0 ? `?${search.join('&')}` : ''}`,
    request: {
      method: place.method,
      ...(body !== undefined &&
        place.method !== 'GET' && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
    },
  };
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Half a surrogate has no percent-encoding; and an empty or dotted part of a path would be another path. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed()).replace(/^\.{0,2}$/, '%00');

/** Returns the fault of a response; null if it has none. The server of the test checks that it fits openapi.json. */
const problemOf = ({ status, body, text }: PlainAnswer, tookMs: number): string | null => {
  if (tookMs > answerMsMax) return `took ${tookMs} ms`;
  if (status >= 500) return `is a ${status}: ${text}`;
  if (status >= 300 && typeof body.error !== 'string') return `has no error: ${text}`;
  return [theirs.name, theirs.id].some((secret) => text.includes(secret)) ? 'shows another workspace' : null;
};

const ask = async (path: string, request: PlainRequest): Promise<string | null> => {
  const before = process.cpuUsage();
  const answer = await server.request(path, request);
  const { user, system } = process.cpuUsage(before);
  const problem = problemOf(answer, Math.round((user + system) / 1_000));
  const shown = `${request.method} ${path.slice(0, 300)} ${String(request.body ?? '').slice(0, 300)}`;
  return problem === null ? null : `${shown} ${problem}`;
};

/** A number of seconds would only hold the request. */
const isWait = (place: RequestPlace, value: unknown) =>
  place.keys[0] === 'wait_seconds' && /^\d{1,2}$/.test(textOf(value));

fuzzTest('every parameter and field of every route takes anything', 'http', async (seed) => {
  expect(places.length).toBeGreaterThan(200);
  const values = fc.sample(hostileValue, { seed, numRuns: places.length * valuesAPlace });
  const problems: string[] = [];
  let tried = 0;
  for (const [index, place] of places.entries()) {
    const some = values.slice(index * valuesAPlace, (index + 1) * valuesAPlace);
    const foreignId = Object.values(foreign.ids)[(index + seed) % Object.keys(foreign.ids).length];
    for (const value of [...some, foreignId]) {
      if (isWait(place, value)) continue;
      const { path, request } = requestWith(place, value);
      const problem = await ask(path, request);
      if (problem !== null) problems.push(problem);
      tried++;
    }
  }
  expect(problems).toEqual([]);
  return tried;
});

const json = 'application/json';
const huge = 'x'.repeat(11 * 1_048_576);
const manyKeys = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`X-${i}`, '']));
const small = '{"local_part":7}';

/** Bodies that are not what their headers say, or more than anybody reads. */
const bodies: [string, Record<string, string>, string | Buffer<ArrayBuffer>][] = [
  ['no gzip', { 'content-encoding': 'gzip' }, small],
  ['half a gzip', { 'content-encoding': 'gzip' }, gzipSync(small).subarray(0, 15)],
  ['a gzip of 100 MB', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(100 * 1_048_576, ' '))],
  ['gzip in gzip', { 'content-encoding': 'gzip, gzip' }, gzipSync(gzipSync(small))],
  ['an unknown encoding', { 'content-encoding': 'x-none' }, small],
  ['an unknown charset', { 'content-type': `${json}; charset=no-such` }, small],
  ['another charset', { 'content-type': `${json}; charset=utf-16` }, Buffer.from(small, 'utf16le')],
  ['bytes that are no UTF-8', {}, Buffer.from('{"local_part":"\xff\xfe\xc0\x80"}', 'latin1')],
  ['a media type without end', { 'content-type': `${json}; ${'a=b; '.repeat(2_000)}` }, small],
  ['JSON 100,000 deep', {}, `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['objects 100,000 deep', {}, `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ['11 MB of text', {}, `{"text":"${huge}"}`],
  ['11 MB of blanks', {}, ' '.repeat(11 * 1_048_576)],
  ['11 MB that are no JSON', {}, huge],
  ['a number of 100,000 digits', {}, `{"local_part":${'9'.repeat(100_000)}}`],
  ['a key a hundred thousand times', {}, `{${'"a":1,'.repeat(100_000)}"a":1}`],
  ['a hundred thousand keys', {}, JSON.stringify(manyKeys)],
  ['a hundred thousand headers', {}, JSON.stringify({ headers: manyKeys })],
  ['NUL', {}, '\0'],
  ['a byte order mark', {}, `\ufeff${small}`],
];

const withBodies = places.filter(
  ({ name, in: where, keys }) =>
    where === 'body' && keys[0] === 'unknown' && /^(inboxes\.create|messages\.send)$/.test(name),
);

fuzzTest('a body that is broken, huge or not what it says is refused', 'http', async () => {
  const problems: string[] = [];
  for (const place of withBodies)
    for (const [called, headers, body] of bodies) {
      const { path, request } = requestWith(place, 1);
      const problem = await ask(path, { ...request, headers: { 'content-type': json, ...headers }, body });
      if (problem !== null) problems.push(`${called}: ${problem.slice(-300)}`);
    }
  expect(problems).toEqual([]);
  return withBodies.length * bodies.length;
});

fuzzTest('a query and a path of any text are answered', 'http', async (seed) => {
  const problems: string[] = [];
  const texts = fc.sample(hostileText, { seed, numRuns: 40 });
  for (const text of texts)
    for (const path of [`/${encode(text)}`, `/v1/${encode(text)}`, `/v1/inboxes?${encode(text)}`]) {
      const problem = await ask(path, { method: 'GET' });
      if (problem !== null) problems.push(problem);
    }
  expect(problems).toEqual([]);
  return texts.length * 3;
});
