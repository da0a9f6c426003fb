/*
 * Cursors and signed links that were changed, cut, or put together from those of two workspaces: a link opens what it was made
 * for or is a 404, a cursor is a place in the caller's own list or a 400.
 */

import { fuzzTest } from '@postrider/testkit/lib/fuzz-rounds.ts';
import {
  joinTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';

const changesARound = 150;
const lists = ['inboxes', 'messages', 'threads'] as const;

/** The belongings of one workspace: its links with the pages that they open, its cursors, and texts that only it may read. */
interface Held {
  secrets: string[];
  links: Map<string, string>;
  cursors: Record<(typeof lists)[number], string>;
}

let server: TestServer;
let own: Held;
let foreign: Held;

beforeAll(async () => {
  server = await joinTestServer();
  own = await fill(server);
  foreign = await fill(await server.workspace());
});
afterAll(() => server.stop());

const fill = async (owner: TestWorkspace): Promise<Held> => {
  const inbox = await server.inbox(owner);
  await server.inbox(owner);
  const secret = server.freshName('secret');
  for (const subject of ['first', 'second'])
    await sendMail(server.smtpPort, {
      from: 'ada@remote.example',
      to: inbox.address,
      subject: `${subject} ${secret}`,
      text: secret,
      attachments: [{ filename: 'a.txt', content: `${subject} ${secret}` }],
    });
  const { messages } = await owner.client.messages.list({ inbox_id: inbox.id });
  const links = new Map<string, string>();
  for (const message of messages) {
    const raw = await owner.client.messages.raw(message.id);
    for (const { url } of [raw, ...message.attachments])
      links.set(tokenOf(url), await (await fetch(url)).text());
  }
  const cursorOf = async (list: string) => {
    const { body } = await server.request(`/v1/${list}?limit=1`, { key: owner.key });
    return String(body.next_cursor);
  };
  const [inboxes, messagesCursor, threads] = await Promise.all(lists.map(cursorOf));
  return {
    secrets: [secret, inbox.id, inbox.address],
    links,
    cursors: { inboxes: inboxes ?? '', messages: messagesCursor ?? '', threads: threads ?? '' },
  };
};

const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** One change of a text; `other` is a text of the same kind to take pieces from. */
const change = fc.record({
  kind: fc.constantFrom('flip', 'flip decoded', 'cut', 'extend', 'swap part', 'splice', 'replace'),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  bit: fc.integer({ min: 0, max: 7 }),
  text: fc.oneof(
    fc.constantFrom('=', '.', '%00', 'A', '/', '%2e', '-', '_', ' ', '~'),
    fc.string({ maxLength: 4 }),
  ),
});
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

const changed = (text: string, other: string, { kind, at, bit, text: piece }: Change): string => {
  const place = Math.floor(at * text.length);
  const flip = (from: string) =>
    from.slice(0, place) +
    String.fromCharCode(from.charCodeAt(Math.min(place, from.length - 1)) ^ (1 << bit)) +
    from.slice(place + 1);
  const parts = text.split('.');
  const index = Math.floor(at * parts.length);
  switch (kind) {
    case 'flip':
      return flip(text);
    case 'flip decoded': {
      const bytes = Buffer.from(parts[index] ?? '', 'base64url');
      const byte = Math.floor(at * bytes.length);
      bytes[byte] = (bytes[byte] ?? 0) ^ (1 << bit);
      return parts.with(index, bytes.toString('base64url')).join('.');
    }
    case 'cut':
      return text.slice(0, place);
    case 'extend':
      return `${text}${piece}`;
    case 'swap part':
      return parts.with(index, other.split('.')[index] ?? '').join('.');
    case 'splice':
      return text.slice(0, place) + other.slice(place);
    default:
      return text.slice(0, place) + piece + text.slice(place + 1);
  }
};

/** A text of both workspaces with one to three changes. */
const changedOneOf = (texts: string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...texts),
      fc.constantFrom(...texts),
      fc.array(change, { minLength: 1, maxLength: 3 }),
    )
    .map(([text, other, changes]) => changes.reduce((so, each) => changed(so, other, each), text))
    .map((text) => encodeURIComponent(text.toWellFormed()))
    .filter((text) => !/^\.{0,2}$/.test(text));

fuzzTest('a link that is changed opens nothing', 'links', async (seed) => {
  const known = new Map([...own.links, ...foreign.links]);
  const property = fc.asyncProperty(changedOneOf([...known.keys()]), async (token) => {
    const answer = await server.request(`/files/${token}`, { key: null });
    const opens = known.get(token);
    if (opens !== undefined) expect([answer.status, answer.text]).toEqual([200, opens]);
    else expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
  });
  await fc.assert(property, { seed, numRuns: changesARound });
  return changesARound;
});

fuzzTest('a cursor that is changed is a 400 or a place in the own list', 'links', async (seed) => {
  for (const list of lists) {
    const cursors = lists.flatMap((each) => [own.cursors[each], foreign.cursors[each]]);
    const property = fc.asyncProperty(changedOneOf(cursors), async (cursor) => {
      const { status, body, text } = await server.request(`/v1/${list}?cursor=${cursor}`);
      expect(foreign.secrets.filter((secret) => text.includes(secret))).toEqual([]);
      if (status !== 200) expect([status, body.error]).toEqual([400, 'invalid_request']);
      const items = (body[list] ?? []) as { created_at: string }[];
      expect(items.length).toBeLessThanOrEqual(2);
    });
    await fc.assert(property, { seed, numRuns: changesARound });
  }
  return lists.length * changesARound;
});
