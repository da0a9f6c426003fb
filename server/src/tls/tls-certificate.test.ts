import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { expect, test } from 'vitest';
import { makeSelfSignedCertificate } from './tls-certificate.ts';

const now = new Date('2026-11-20T12:00:00Z');

test('a self-signed certificate names its host, is signed with its own key and is valid for ten years', () => {
  const { cert } = makeSelfSignedCertificate('mx.example.com', now);
  const read = new X509Certificate(cert);
  expect(read.subject).toBe('CN=mx.example.com');
  expect(read.issuer).toBe('CN=mx.example.com');
  expect(read.subjectAltName).toBe('DNS:mx.example.com');
  expect(read.ca).toBe(false);
  expect(read.verify(read.publicKey)).toBe(true);
  expect(read.validFromDate.toISOString()).toBe('2026-11-19T12:00:00.000Z');
  expect(read.validToDate.getUTCFullYear()).toBe(2036);
});

test('two certificates differ in key and serial number', () => {
  const [a, b] = [makeSelfSignedCertificate('mx.example', now), makeSelfSignedCertificate('mx.example', now)];
  expect(a.key).not.toBe(b.key);
  expect(new X509Certificate(a.cert).serialNumber).not.toBe(new X509Certificate(b.cert).serialNumber);
});

test('an IP address becomes an alternative name of its own kind', () => {
  const { cert } = makeSelfSignedCertificate('192.0.2.7', now);
  expect(new X509Certificate(cert).subjectAltName).toBe('IP Address:192.0.2.7');
});

test('a host name of 200 characters is cut in the common name and whole in the alternative name', () => {
  const hostname = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`;
  const read = new X509Certificate(makeSelfSignedCertificate(hostname, now).cert);
  expect(read.subjectAltName).toBe(`DNS:${hostname}`);
  expect(read.subject).toBe(`CN=${hostname.slice(0, 64)}`);
});

test('a TLS handshake works with it, and a client that trusts it accepts the host name', async () => {
  const { cert, key } = makeSelfSignedCertificate('localhost', new Date());
  const server = createServer({ cert, key }, (socket) => socket.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: cert });
  const [greeting] = await once(client, 'data');
  expect(client.authorized).toBe(true);
  expect(String(greeting)).toBe('hello');
  client.destroy();
  server.close();
  await once(server, 'close');
});
