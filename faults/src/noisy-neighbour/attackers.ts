import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { pageHeaders } from '@postrider/testkit/http/console-browser.ts';
import { rawRequest } from './attack-connections.ts';
import {
  addressedMail,
  costlyBodies,
  costlyMessages,
  longMail,
  mailOfParts,
  singleMail,
  storedMail,
  threadMail,
} from './attack-contents.ts';
import { type AttackRequest, findLargestFile, obtain } from './attack-http.ts';
import type { Attacker, Means } from './attacker.ts';
import { idleAddressFrom } from './watch-server.ts';

/** All attackers. The place of each determines its addresses. */
export const attackers: Attacker[] = [
  {
    name: 'gzip-bodies',
    about: 'posts 32 KB of gzip that are 33 MB of JSON, eleven million empty objects, 20 at once',
    requests: {
      atOnce: 20,
      from: () => {
        const json = `{"inbox_id":"x","attachments":[${'{},'.repeat(11_000_000)}{}]}`;
        const body = gzipSync(json, { level: 9 });
        return () => ({ ...post('/v1/messages', body), headers: { 'content-encoding': 'gzip' } });
      },
    },
  },
  {
    name: 'json-bodies',
    about:
      'posts JSON of many values: 10 MB of unknown keys, 24 MB of empty objects, deep brackets, 30 MB of escapes',
    requests: { atOnce: 6, from: () => inTurn(costlyBodies().map((body) => post('/v1/messages', body))) },
  },
  {
    name: 'long-mails',
    about:
      'reads lists, a thread and events of 200 mails with bodies of 64 KB, 20 at once, on and on, and their events over 20 sockets',
    has: { mails: 200, sessions: 4, make: longMail },
    requests: { atOnce: 20, from: (means) => inTurn(readingPaths(means).map(list)) },
    sockets: { atOnce: 20, framesMax: 199 },
  },
  {
    name: 'many-addresses',
    about: 'reads the same of 200 mails with nearly 1 MB of addresses in their headers',
    has: { mails: 200, sessions: 4, make: addressedMail },
    requests: { atOnce: 20, from: (means) => inTurn(readingPaths(means).map(list)) },
  },
  {
    name: 'unread-answers',
    about:
      'asks for lists of long mails over hundreds of connections, three times on each, and reads no answer',
    holdsConnections: true,
    has: { mails: 200, sessions: 4, make: longMail },
    connections: ({ key }, means) => {
      const requests = readingPaths(means).map((path) => rawRequest(path, key).repeat(3));
      const plan = { most: 300, addresses: idle(25), each: 45, everyMs: 5_000, isUnread: true } as const;
      return [{ ...plan, sends: inTurn(requests) }];
    },
  },
  {
    name: 'silent-connections',
    about:
      'holds 350 silent, slow, half-closed and refused connections without a key, and pipelines 20,000 /livez and 500 /metrics',
    holdsConnections: true,
    connections: ({ key }) => {
      const livez = rawRequest('/livez');
      const slow = (number: number, authorization = '') =>
        `POST /v1/messages HTTP/1.1\r\nHost: a\r\n${authorization}Content-Type: application/json\r\nContent-Length: ${number}\r\n\r\n{`;
      const addresses = idle(25);
      return [
        { most: 100, addresses },
        { most: 50, addresses, sends: () => 'GET /livez HTTP/1.1\r\nHost: a\r\nX-Slow: ' },
        { most: 100, addresses, sends: inTurn(['nonsense\r\n\r\n', livez]), isHalfClosed: true },
        // These are refused for their missing key before their bodies arrive. The bodies continue to arrive.
        { most: 25, addresses, sends: () => slow(1_000), drips: ' ' },
        // Node's own time limits treat an empty line between two requests as a sign of life.
        { most: 25, addresses, sends: () => livez, drips: '\r\n' },
        // Slow bodies come from another address, because such a client is not counted as idle.
        {
          most: 50,
          addresses: { from: 1, count: 1 },
          sends: () => slow(1_000_000, `Authorization: Bearer ${key}\r\n`),
          drips: ' ',
        },
      ];
    },
    pipelines: Array.from({ length: 4 }, () => [
      rawRequest('/livez').repeat(20_000),
      rawRequest('/metrics').repeat(500),
    ]).flat(),
  },
  {
    name: 'smtp-connections',
    about: 'holds 2,000 silent SMTP connections from 50 addresses, and opens a new one for each that ends',
    holdsConnections: true,
    connections: () => [
      { to: 'smtp', most: 2_000, addresses: idle(50), each: 400, everyMs: 500, isReopened: true },
    ],
  },
  {
    name: 'many-parts',
    about: 'sends mails of 900 attached parts to an inbox of its own, by 10 sessions',
    mail: { sessions: 10, most: 1_500, make: mailOfParts },
  },
  {
    name: 'send-flood',
    about:
      'sends on and on to itself and to 50 recipients outside, 20 at once, with texts of 5 MB of CR among them',
    requests: {
      atOnce: 20,
      from: ({ inbox }) => {
        const [small, ...large] = costlyMessages(inbox).map((body) => post('/v1/messages', body));
        // Every fourth request is large, so that the rate limit of the plan is spent on both kinds.
        return (number) => (number % 4 === 0 ? large[(number / 4) % large.length] : small)!;
      },
    },
  },
  {
    name: 'waiting-flood',
    about: 'opens 120 long polls and 120 sockets, again whenever one ends, while mail wakes them',
    requests: {
      atOnce: 120,
      from: ({ inbox }) =>
        inTurn([
          { path: `/v1/messages?inbox_id=${inbox.id}&subject=nothing&wait_seconds=30` },
          { path: '/v1/events?after=latest&wait_seconds=30' },
        ]),
    },
    sockets: { atOnce: 120 },
    mail: { sessions: 4, most: 20_000, pauseMs: 40, make: singleMail },
  },
  {
    name: 'empty-searches',
    about: 'lists 4,000 mails by combined filters that find nothing, 90 at once',
    has: { mails: 4_000, sessions: 8, make: singleMail },
    requests: {
      atOnce: 90,
      from: () =>
        inTurn(
          [
            'from=nobody.example&subject=nothing&has_attachment=true',
            'direction=outbound&from=attacker.example',
            'to=nobody.example&after=2020-01-01T00:00:00.000Z&subject=mail',
            'from=attacker.example&subject=mail&has_attachment=true',
            `subject=${encodeURIComponent('mail '.repeat(190))}&direction=outbound`,
            'from=attacker.example&to=nobody.example&direction=inbound&has_attachment=true',
          ].map((query) => ({ path: `/v1/messages?${query}&limit=100` })),
        ),
    },
  },
  {
    name: 'hanging-webhooks',
    about:
      'has 50 webhooks whose receiver takes connections and answers nothing, while mail makes events for each',
    prepare: async (attack) => {
      const receiver = createServer((socket) => {
        attack.count('posts that hang');
        socket.resume().on('error', () => undefined);
      });
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
      for (let number = 0; number < 50; number++)
        await obtain(attack, post('/v1/webhooks', { url: `${url}/${number}`, events: ['message.received'] }));
    },
    mail: { sessions: 4, most: 2_000, pauseMs: 40, make: singleMail },
  },
  {
    name: 'due-drafts',
    about: 'has 700 drafts that are due at one second, and makes more that were due when they are made',
    prepare: async (attack, means) => {
      const dueInMs = 5_000;
      // The plan allows ten drafts a second, so their time is late enough for all of them.
      const dueAt = Date.now() + 90_000 + dueInMs;
      for (let made = 0; made < 700 && !attack.isOver(); made++)
        await obtain(attack, draft(means, new Date(dueAt)));
      await sleep(Math.max(0, dueAt - Date.now() - dueInMs));
    },
    requests: {
      atOnce: 4,
      from: (means) => () => draft(means, new Date(Date.now() - 60_000)),
    },
  },
  {
    name: 'long-threads',
    about: 'has a thread of 5,000 mails and reads it on and on, 20 at once, while mail joins it',
    has: { mails: 5_000, sessions: 8, make: threadMail },
    requests: {
      atOnce: 20,
      from: ({ threadId }) =>
        inTurn(
          [
            `/v1/threads/${threadId}`,
            '/v1/threads?limit=100',
            `/v1/messages?thread_id=${threadId}&limit=100`,
          ].map(list),
        ),
    },
    mail: { sessions: 8, most: 20_000, make: threadMail },
  },
  {
    name: 'storage-flood',
    about:
      'sends mails of 500 KB from one address into one inbox by 20 sessions, and makes and deletes inboxes',
    // 1.5 GB in total, so that the disk of the machine does not fill up.
    mail: { sessions: 20, most: 3_000, make: storedMail },
    requests: {
      atOnce: 4,
      from: () => (number) => ({
        ...post('/v1/inboxes', { local_part: `squat-${Date.now()}-${number}` }),
        follow: (text) => ({ method: 'DELETE', path: `/v1/inboxes/${JSON.parse(text).id}` }),
      }),
    },
  },
  {
    name: 'unread-pages',
    about: 'asks for the largest file of the console over 990 connections without a key, and never reads it',
    connections: async (attack) => {
      const bytes = rawRequest(await findLargestFile(attack)).repeat(3);
      const addresses = { from: 1, count: 9 };
      return [
        {
          most: 990,
          addresses,
          each: 90,
          everyMs: 200,
          isReopened: true,
          isUnread: true,
          sends: () => bytes,
        },
      ];
    },
  },
  stranger(
    'sign-in-flood',
    'signs in with wrong passwords of other accounts each time, from 90 addresses',
    '/session',
    (number) => ({ email: `person-${number}@outside.example`, password: 'a wrong password' }),
  ),
  stranger(
    'link-flood',
    'opens made-up links for a new password, from 90 addresses',
    '/password-resets/complete',
    (number) => ({ token: `${number}`.padStart(43, 'x'), password: 'a new and long password' }),
  ),
  stranger(
    'reset-flood',
    'asks for links for a new password, each time of another address of mail, from 90 addresses',
    '/password-resets',
    (number) => ({ email: `person-${number}@outside.example` }),
  ),
];

/** Returns an attacker without a session that posts to the console, from many addresses, because each has limits of its own. */
function stranger(name: string, about: string, path: string, makeBody: (number: number) => object): Attacker {
  const from = ({ origin }: Means) => {
    const headers = { authorization: '', ...pageHeaders(origin) };
    return (number: number) => ({
      ...post(`/console/api${path}`, makeBody(number)),
      headers,
      from: 1 + (number % 90),
    });
  };
  return { name, about, requests: { atOnce: 60, from } };
}

function inTurn<Item>(items: Item[]): (number: number) => Item {
  return (number) => items[number % items.length] as Item;
}

function post(path: string, body: Buffer | object): AttackRequest {
  return { method: 'POST', path, body };
}

function list(path: string): AttackRequest {
  return { path, isList: true };
}

function draft({ inbox: { id, address } }: Means, dueAt: Date): AttackRequest {
  const text = { subject: 'Due', text: 'A few words.' };
  return post('/v1/drafts', { inbox_id: id, to: [address], ...text, scheduled_at: dueAt.toISOString() });
}

/** Returns the paths that read everything in an inbox. */
function readingPaths({ threadId }: Means): string[] {
  return [
    '/v1/messages?limit=100',
    `/v1/threads/${threadId}`,
    '/v1/events?limit=100',
    '/v1/messages?subject=thread&from=attacker.example&limit=100',
  ];
}

/** Returns addresses of connections that do nothing. */
function idle(count: number): { from: number; count: number } {
  return { from: idleAddressFrom, count };
}
