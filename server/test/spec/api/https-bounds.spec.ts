/* The limits of connections hold for HTTPS as well, from their first byte on. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { agentFor, askByHttps } from '@postrider/testkit/http/https-client.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectionLimits } from '../../../src/http/connections/connection-room.ts';

const web = 'mail.postrider.test';
const usual = { ...connectionLimits };
const places = 20;
// Without an order, both have a self-signed certificate. The first bytes of a connection are looked at where they may answer a challenge.
const modes = {
  'that may answer challenges': { POSTRIDER_ACME_EMAIL: 'ops@postrider.test' },
  'behind a proxy': { POSTRIDER_ACME_EMAIL: 'ops@postrider.test', POSTRIDER_TRUST_PROXY: '192.0.2.1' },
};

describe.each(Object.entries(modes))('HTTPS %s', (_name, env) => {
  const sockets: Socket[] = [];
  let server: TestServer;
  let port = 0;

  beforeAll(async () => {
    Object.assign(connectionLimits, { lookEveryMs: 50, connectionsMax: places });
    const own = {
      POSTRIDER_HTTPS_PORT: '0',
      POSTRIDER_PUBLIC_URL: `https://${web}`,
      POSTRIDER_SMTP_PORT: '0',
    };
    server = await startTestServer({ roles: ['api'], env: { ...own, ...env } });
    port = server.server.httpsPort ?? 0;
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    Object.assign(connectionLimits, { ...usual, connectionsMax: places });
  });
  afterAll(async () => {
    Object.assign(connectionLimits, usual);
    await server.stop();
  });

  const keep = <S extends Socket>(socket: S): S => {
    sockets.push(socket.on('error', () => {}).resume());
    return socket;
  };
  // It may end with an error, too.
  const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));
  const openSilent = async () => {
    const socket = keep(connect(port, '127.0.0.1'));
    await once(socket, 'connect');
    return socket;
  };
  const ask = () =>
    askByHttps({ port, path: '/livez', agent: agentFor('', web, { rejectUnauthorized: false }) });

  test('gives the place of the client that is silent longest to one that asks', async () => {
    const silent: Socket[] = [];
    for (let count = 0; count < places; count += 1) silent.push(await openSilent());
    const first = closed(silent[0]!);
    expect((await ask()).status).toBe(200);
    await first;
    expect(silent.at(-1)?.closed).toBe(false);
  });

  test('lets go a client that begins a handshake and does not go on, and one that has nothing to ask any more', async () => {
    const half = await openSilent();
    half.write(Buffer.from([22, 3, 1, 2, 0, 1]));
    const idle = keep(connectTls({ host: '127.0.0.1', port, servername: web, rejectUnauthorized: false }));
    await once(idle, 'secureConnect');
    idle.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    const ended = [half, idle].map(closed);
    Object.assign(connectionLimits, { idleMs: 300, unreadMs: 300 });
    await Promise.all(ended);
    expect((await ask()).status).toBe(200);
  });

  test('takes a request that comes byte by byte', async () => {
    const socket = keep(connectTls({ host: '127.0.0.1', port, servername: web, rejectUnauthorized: false }));
    await once(socket, 'secureConnect');
    for (const byte of 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n') socket.write(byte);
    await closed(socket);
    expect(socket.bytesRead).toBeGreaterThan(100);
  });
});
