import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { decode, encode } from 'dns-packet';
import { describe, expect, test } from 'vitest';
import { openZoneClient } from './ask-zone.ts';

describe('forged replies', () => {
  test('from another port, with another id or with another question are ignored', async () => {
    const dns = await startDnsServer(['example.test']);
    dns.set('example.test', 'TXT', ['true']);
    const stranger = createSocket('udp4');
    const front = createSocket('udp4');
    front.bind(0, '127.0.0.1');
    await once(front, 'listening');
    front.on('message', (bytes, { port, address }) => {
      const query = decode(bytes);
      const question = query.questions![0]!;
      const forged = (id: number, name: string) =>
        encode({
          type: 'response',
          id,
          flags: 1 << 10,
          questions: [{ ...question, name }],
          answers: [{ name, type: 'TXT', ttl: 60, data: ['forged'] }],
        });
      stranger.send(forged(query.id!, question.name), port, address);
      front.send(forged((query.id! + 1) & 0xffff, question.name), port, address);
      front.send(forged(query.id!, 'other.test'), port, address);
      front.send(bytes, port, address);
      front.send(Buffer.from('junk'), port, address);
      setTimeout(() => relay(bytes, dns.port, (reply) => front.send(reply, port, address)), 30);
    });
    try {
      const { port } = front.address();
      const ask = await openZoneClient({ server: `127.0.0.1:${port}`, allowPrivate: false });
      expect((await ask('example.test', 'TXT')).records).toMatchObject([{ value: 'true' }]);
    } finally {
      front.close();
      stranger.close();
      await dns.close();
    }
  });
});

function relay(query: Buffer, port: number, done: (reply: Buffer) => void): void {
  const socket = createSocket('udp4');
  socket.once('message', (reply) => {
    socket.close();
    done(reply);
  });
  socket.send(query, port, '127.0.0.1');
}
