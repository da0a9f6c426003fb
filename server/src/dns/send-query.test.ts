import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { type DecodedPacket, decode, encode } from 'dns-packet';
import { afterEach, expect, test } from 'vitest';
import { openZoneClient } from './ask-zone.ts';

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(zones: string[]) {
  const dns = await startDnsServer(zones);
  closing.push(() => dns.close());
  return dns;
}

type Send = (bytes: Buffer) => void;

/** Starts a server on one port in front of others: `choose` returns the port that a query goes on to, or null if it has replied itself. */
async function startFront(choose: (query: DecodedPacket, reply: Send, client: number) => number | null) {
  const front = createSocket('udp4');
  front.bind(0, '127.0.0.1');
  await once(front, 'listening');
  closing.push(() => front.close());
  front.on('message', (bytes, { port, address }) => {
    const reply: Send = (answer) => front.send(answer, port, address);
    const target = choose(decode(bytes), reply, port);
    if (target === null) return;
    const back = createSocket('udp4');
    back.once('message', (answer) => {
      back.close();
      reply(answer);
    });
    back.send(bytes, target, '127.0.0.1');
  });
  return openZoneClient({ server: `127.0.0.1:${front.address().port}`, allowPrivate: false });
}

test('replies from another port, with another id or with another question are ignored', async () => {
  const dns = await start(['example.test']);
  dns.set('example.test', 'TXT', ['true']);
  const stranger = createSocket('udp4');
  closing.push(() => stranger.close());
  const ask = await startFront((query, reply, client) => {
    const question = query.questions![0]!;
    const forged = (id: number, name: string) =>
      encode({
        type: 'response',
        id,
        flags: 1 << 10,
        questions: [{ ...question, name }],
        answers: [{ name, type: 'TXT', ttl: 60, data: ['forged'] }],
      });
    stranger.send(forged(query.id!, question.name), client, '127.0.0.1');
    reply(forged((query.id! + 1) & 0xffff, question.name));
    reply(forged(query.id!, 'other.test'));
    reply(encode(query));
    reply(Buffer.from('junk'));
    return dns.port;
  });
  expect((await ask('example.test', 'TXT')).records).toMatchObject([{ value: 'true' }]);
});

test('a server that does not know EDNS is asked without it', async () => {
  const dns = await start(['example.test']);
  dns.set('example.test', 'TXT', ['plain']);
  const ask = await startFront((query, reply) => {
    if (query.additionals!.length === 0) return dns.port;
    // Such servers may leave the question out.
    const formError = Buffer.alloc(12);
    formError.writeUInt16BE(query.id!, 0);
    formError.writeUInt16BE(0x8001, 2);
    reply(formError);
    return null;
  });
  expect((await ask('example.test', 'TXT')).records).toMatchObject([{ value: 'plain' }]);
});

test('a zone that the resolver does not know yet is found by the referral of its parent', async () => {
  const parent = await start(['.']);
  parent.set('new.test', 'NS', ['ns.new.test']);
  parent.set('ns.new.test', 'A', ['127.0.0.1']);
  const child = await start(['new.test']);
  child.set('new.test', 'TXT', ['here']);
  let direct = 0;
  const ask = await startFront((query) => {
    if (query.flag_rd) return parent.port;
    direct += 1;
    return direct === 1 ? parent.port : child.port;
  });
  const answer = await ask('new.test', 'TXT');
  expect(answer).toMatchObject({ kind: 'records', records: [{ value: 'here' }], detail: null });
  expect(answer.server).toMatch(/^ns\.new\.test /);
});

test('a resolver that fails is told with its code', async () => {
  const dns = await start(['.']);
  dns.failFor('example.test', 'test', '');
  const ask = await openZoneClient({ server: dns.address, allowPrivate: false });
  expect(await ask('example.test', 'TXT')).toMatchObject({
    kind: 'unanswered',
    detail: `The resolver ${dns.address} answers SERVFAIL for example.test.`,
  });
});
