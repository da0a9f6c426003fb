import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ServedCertificates } from '../../tls/served-certificates.ts';
import { makeSelfSignedCertificate } from '../../tls/tls-certificate.ts';
import { offersProtocol, peekHello } from './client-hello.ts';

const { context } = new ServedCertificates(makeSelfSignedCertificate('mail.example', new Date())).find();
const server = createServer();
const sockets: Socket[] = [];
let port = 0;

beforeEach(async () => {
  server.on('connection', (socket) => void sockets.push(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.removeAllListeners('connection').close();
  await once(server, 'close');
});

/** Connects and returns both ends. */
async function open(): Promise<{ client: Socket; accepted: Socket }> {
  const arrived = once(server, 'connection');
  const client = connect(port, '127.0.0.1');
  sockets.push(client.on('error', () => {}));
  const [accepted] = (await arrived) as [Socket];
  return { client, accepted };
}

test('the protocols that a client offers are seen, and the handshake goes on from its beginning', async () => {
  const { client, accepted } = await open();
  const peeked = peekHello(accepted);
  const secured = connectTls({
    socket: client,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2', 'acme-tls/1'],
  });
  const hello = await peeked;
  expect(['h2', 'acme-tls/1', 'http/1.1'].map((name) => offersProtocol(hello!, name))).toEqual([
    true,
    true,
    false,
  ]);
  const served = new TLSSocket(accepted, {
    isServer: true,
    secureContext: context,
    ALPNProtocols: ['acme-tls/1'],
  });
  await once(secured, 'secureConnect');
  expect(secured.alpnProtocol).toBe('acme-tls/1');
  served.end('hello');
  expect(String((await once(secured, 'data'))[0])).toBe('hello');
});

test('a record in pieces is waited for, and what follows it is left', async () => {
  const { client, accepted } = await open();
  const record = Buffer.from([22, 3, 1, 0, 4, 1, 2, 3, 4]);
  const peeked = peekHello(accepted);
  for (const byte of record) {
    client.write(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await peeked)?.subarray(0, record.length)).toEqual(record);
  expect(accepted.read(record.length)).toEqual(record);
});

test('a client that speaks something else is not waited for, and one that leaves has said nothing', async () => {
  const plain = await open();
  const peeked = peekHello(plain.accepted);
  plain.client.write('GET / HTTP/1.1\r\n');
  expect(String(await peeked)).toBe('GET / HTTP/1.1\r\n');
  const gone = await open();
  const nothing = peekHello(gone.accepted);
  gone.client.destroy();
  expect(await nothing).toBeNull();
});
