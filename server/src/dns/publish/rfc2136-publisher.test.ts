import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { openZoneClient } from '../ask-zone.ts';
import { PublishError, type RecordChange } from './publish-records.ts';
import { createRfc2136Publisher } from './rfc2136-publisher.ts';
import { signMessage } from './sign-message.ts';

const secret = Buffer.alloc(32, 7);
const key = { name: 'mail.key', secret };
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function start(): Promise<DnsServer> {
  const dns = await startDnsServer(['example.test'], {
    tsig: { name: 'mail.key', secret: secret.toString('base64') },
  });
  closing.push(() => dns.close());
  return dns;
}

const publisherAt = (port: number, more: Partial<Parameters<typeof createRfc2136Publisher>[0]> = {}) =>
  createRfc2136Publisher({ host: '127.0.0.1', port, key, zone: 'example.test', timeoutMs: 300_000, ...more });

const change = (
  name: string,
  type: RecordChange['type'],
  ...values: (string | [number, string])[]
): RecordChange => ({
  name,
  type,
  ttl: 300,
  values: values.map((value) =>
    typeof value === 'string' ? { value, priority: null } : { value: value[1], priority: value[0] },
  ),
});

const failureMessage = async (failing: Promise<unknown>): Promise<string> => {
  const error = await failing.then(
    () => new Error('It succeeded.'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PublishError);
  return (error as Error).message;
};

/** A server that replies to each message with what `answer` makes of it. */
async function startFake(answer: (message: Buffer) => Buffer | null): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      const reply = answer(bytes.subarray(2));
      if (reply === null) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(reply.length);
      socket.end(Buffer.concat([length, reply]));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}

function replyTo(message: Buffer, code: number): Buffer {
  const reply = Buffer.alloc(12);
  message.copy(reply, 0, 0, 2);
  reply.writeUInt16BE(0xa800 | code, 2);
  return reply;
}

describe('publishing by RFC 2136', () => {
  test('writes records of every type, as they are read back from the zone', async () => {
    const dns = await start();
    const long = `v=DKIM1; k=rsa; p=${'B'.repeat(600)}`;
    await publisherAt(dns.port).publish([
      change('Example.test.', 'MX', [10, 'mx1.mail.test.'], [20, 'mx2.mail.test']),
      change('k._domainkey.example.test', 'TXT', long),
      change('example.test', 'TXT', 'v=spf1 -all', 'other=ü'),
      change('a.example.test', 'A', '192.0.2.1'),
      change('a.example.test', 'AAAA', '2001:db8::1'),
      change('c.example.test', 'CNAME', 'Target.mail.test'),
      change('*.sub.example.test', 'MX', [0, '.']),
    ]);
    const ask = await openZoneClient({ server: dns.address, allowPrivate: false });
    const read = async (...asked: Parameters<typeof ask>) =>
      (await ask(...asked)).records.map(({ value, priority }) =>
        priority === null ? value : [priority, value],
      );
    expect(await read('example.test', 'MX')).toEqual([
      [10, 'mx1.mail.test'],
      [20, 'mx2.mail.test'],
    ]);
    expect(await read('k._domainkey.example.test', 'TXT')).toEqual([long]);
    expect(await read('example.test', 'TXT')).toEqual(['v=spf1 -all', 'other=ü']);
    expect(await read('a.example.test', 'A')).toEqual(['192.0.2.1']);
    expect(await read('a.example.test', 'AAAA')).toEqual(['2001:db8::1']);
    expect(await read('c.example.test', 'CNAME')).toEqual(['target.mail.test']);
    expect(await read('any.sub.example.test', 'MX')).toEqual([[0, '.']]);
    expect(dns.get('k._domainkey.example.test', 'TXT')[0]).toHaveLength(3);
  });

  test('replaces the records of a name and type, leaves others alone, and may be repeated', async () => {
    const dns = await start();
    dns.set('example.test', 'TXT', ['old one', 'old two']);
    dns.set('example.test', 'A', ['192.0.2.9']);
    const publisher = publisherAt(dns.port);
    for (let time = 0; time < 2; time += 1) await publisher.publish([change('example.test', 'TXT', 'new')]);
    expect(dns.get('example.test', 'TXT')).toEqual(['new']);
    expect(dns.get('example.test', 'A')).toEqual(['192.0.2.9']);
  });

  test('removes records, also those that are not there', async () => {
    const dns = await start();
    dns.set('a.example.test', 'TXT', ['one', 'two']);
    dns.set('a.example.test', 'MX', ['10 mx.example.test']);
    const publisher = publisherAt(dns.port);
    await publisher.publish([{ name: 'a.example.test', type: 'TXT', values: null, ttl: 0 }]);
    await publisher.publish([change('a.example.test', 'TXT'), change('none.example.test', 'MX')]);
    expect(dns.get('a.example.test', 'TXT')).toEqual([]);
    expect(dns.get('a.example.test', 'MX')).toEqual(['10 mx.example.test']);
  });

  test('checks key and zone without a change', async () => {
    const dns = await start();
    expect(await publisherAt(dns.port).check()).toEqual({ zone: 'example.test' });
    expect(dns.asked).toEqual(['UPDATE tcp']);
  });
});

describe('a failure says what is wrong, and never the secret', () => {
  test('of a key that the server does not know, or knows by another secret', async () => {
    const dns = await start();
    const unknown = publisherAt(dns.port, { key: { name: 'other.key', secret } });
    const wrong = publisherAt(dns.port, { key: { name: 'mail.key', secret: Buffer.alloc(32, 8) } });
    expect(await failureMessage(unknown.check())).toBe(
      `The server 127.0.0.1:${dns.port} does not know the key (BADKEY). Zone example.test, key other.key.`,
    );
    expect(await failureMessage(wrong.publish([change('example.test', 'TXT', 'x')]))).toContain('(BADSIG)');
    expect(dns.get('example.test', 'TXT')).toEqual([]);
  });

  test('of a zone that the server does not have, and of a name outside the zone', async () => {
    const dns = await start();
    expect(await failureMessage(publisherAt(dns.port, { zone: 'other.test' }).check())).toContain(
      '(NOTAUTH)',
    );
    const outside = publisherAt(dns.port).publish([change('notexample.test', 'TXT', 'x')]);
    expect(await failureMessage(outside)).toBe('notexample.test is not in the zone example.test.');
  });

  test('of a server that takes no updates', async () => {
    const dns = await startDnsServer(['example.test']);
    closing.push(() => dns.close());
    expect(await failureMessage(publisherAt(dns.port).check())).toContain(
      'does not support updates (NOTIMP)',
    );
  });

  test('of a server that is gone, or that never replies', async () => {
    const port = await startFake(() => null);
    const silent = publisherAt(port, { timeoutMs: 100 });
    expect(await failureMessage(silent.check())).toContain('did not reply');
    const dns = await startDnsServer();
    await dns.close();
    expect(await failureMessage(publisherAt(dns.port).check())).toContain('(ECONNREFUSED)');
  });
});

describe('a reply counts only with the signature of the key', () => {
  const now = () => Math.floor(Date.now() / 1_000);

  test('so that neither an unsigned nor a wrongly signed success does', async () => {
    const unsigned = await startFake((message) => replyTo(message, 0));
    expect(await failureMessage(publisherAt(unsigned).check())).toContain('without a signature');
    // Signed with the right key, but not for this request.
    const replayed = await startFake((message) => signMessage(replyTo(message, 0), key, now()).bytes);
    expect(await failureMessage(publisherAt(replayed).check())).toContain('wrong signature');
  });

  test('and not if it belongs to another message, or cannot be read', async () => {
    const other = await startFake((message) => {
      const reply = replyTo(message, 0);
      reply.writeUInt16BE((message.readUInt16BE(0) + 1) & 0xffff, 0);
      return reply;
    });
    expect(await failureMessage(publisherAt(other).check())).toContain('something else');
    for (const bytes of [Buffer.alloc(0), Buffer.from('x')]) {
      const short = await startFake(() => bytes);
      expect(await failureMessage(publisherAt(short).check())).toContain('cannot be read');
    }
    const cut = await startFake((message) => {
      const reply = replyTo(message, 0);
      reply.writeUInt16BE(0xffff, 10);
      return reply;
    });
    expect(await failureMessage(publisherAt(cut).check())).toContain('cannot be read');
  });

  test('while an error without one is still an error', async () => {
    const refusing = await startFake((message) => replyTo(message, 5));
    expect(await failureMessage(publisherAt(refusing).check())).toContain('(REFUSED)');
  });
});

describe('changes that are not valid', () => {
  test.each<[string, RecordChange[]]>([
    ['an invalid name', [change('a..example.test', 'TXT', 'x')]],
    ['a name with a label over 63 characters', [change(`${'x'.repeat(64)}.example.test`, 'TXT', 'x')]],
    ['no address', [change('example.test', 'A', 'mail.example.test')]],
    ['an address with a zone of its own', [change('example.test', 'AAAA', 'fe80::1%eth0')]],
    ['a host with spaces', [change('example.test', 'MX', [10, 'mx one'])]],
    ['no priority', [change('example.test', 'MX', 'mx.example.test')]],
    ['a priority over 65535', [change('example.test', 'MX', [65_536, 'mx.example.test'])]],
    ['two aliases', [change('example.test', 'CNAME', 'a.test', 'b.test')]],
    ['a text over 4096 bytes', [change('example.test', 'TXT', 'x'.repeat(4_097))]],
    ['a negative TTL', [{ ...change('example.test', 'TXT', 'x'), ttl: -1 }]],
    ['the same records twice', [change('example.test', 'TXT', 'x'), change('EXAMPLE.test', 'TXT', 'y')]],
  ])('%s: nothing is sent', async (_what, changes) => {
    const dns = await start();
    await failureMessage(publisherAt(dns.port).publish(changes));
    expect(dns.asked).toEqual([]);
  });
});
