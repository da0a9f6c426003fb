/* Interface 20: HTTPS, and certificates that change while the server runs. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentFor, askByHttps, findPresented } from '@postrider/testkit/http/https-client.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { makeSelfSignedCertificate, type TlsCertificate } from '../../../src/tls/tls-certificate.ts';

const hostname = 'mail.postrider.test';
const make = () => makeSelfSignedCertificate(hostname, new Date());
let folder = '';
let server: TestServer;
let current: TlsCertificate;
let port = 0;

async function write(pair: TlsCertificate): Promise<void> {
  await writeFile(join(folder, 'cert.pem'), pair.cert);
  await writeFile(join(folder, 'key.pem'), pair.key);
  current = pair;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-https-'));
  await write(make());
  server = await startTestServer({
    lookAgainMs: 20,
    env: {
      POSTRIDER_HTTPS_PORT: '0',
      POSTRIDER_PUBLIC_URL: `https://${hostname}`,
      POSTRIDER_TLS_CERT: join(folder, 'cert.pem'),
      POSTRIDER_TLS_KEY: join(folder, 'key.pem'),
    },
  });
  port = server.server.httpsPort ?? 0;
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const ask = (path: string, agent: Agent, body?: object) =>
  askByHttps({ port, path, agent, key: server.key, ...(body && { body }) });

async function secureSmtp(servername?: string): Promise<{ client: RawSmtpClient; fingerprint: unknown }> {
  const client = await RawSmtpClient.greet(server.smtpPort);
  await client.command('STARTTLS');
  const fingerprint = await client.secure(servername);
  return { client, fingerprint };
}

test('Interface 20 POSTRIDER_HTTPS_PORT: HTTPS serves the same routes as HTTP', async () => {
  const agent = agentFor(current.cert, hostname);
  const local_part = server.freshName();
  const created = await ask('/v1/inboxes', agent, { local_part });
  expect(created.status).toBe(201);
  for (const path of ['/v1/inboxes', '/v1/account', '/livez', '/readyz', '/v1/unknown', '/'])
    expect({ path, status: (await ask(path, agent)).status }).toEqual({
      path,
      status: (await server.request(path)).status,
    });
  expect(JSON.parse((await ask('/v1/inboxes', agent)).body)).toEqual(
    (await server.request('/v1/inboxes')).body,
  );
  const url = `wss://127.0.0.1:${port}/v1/realtime`;
  const headers = { authorization: `Bearer ${server.key}` };
  const socket = new WebSocket(url, [], { agent, headers });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  expect(socket.protocol).toBe('');
  socket.terminate();
});

test('Interface 20 POSTRIDER_HTTPS_PORT: a client that speaks no TLS harms nobody', async () => {
  await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow('fetch failed');
  expect((await ask('/livez', agentFor(current.cert, hostname))).status).toBe(200);
});

test('Interface 20 POSTRIDER_TLS_CERT: a new certificate is presented without a restart, and no connection is lost', async () => {
  const before = current;
  const agent = agentFor(before.cert, hostname, { keepAlive: true, maxSockets: 1 });
  const first = await ask('/v1/account', agent);
  const oldPrint = await findPresented(port, hostname);
  const inbox = await server.inbox();
  const waiting = ask(`/v1/messages?inbox_id=${inbox.id}&wait_seconds=60`, agentFor(before.cert, hostname));
  const mail = await secureSmtp(hostname);
  expect(mail.fingerprint).toBe(oldPrint);
  expect(await mail.client.codes('EHLO a', 'MAIL FROM:<ada@sender.example>')).toEqual([250, 250]);

  await write(make());
  await eventually(
    'HTTPS to present the new certificate',
    async () => (await findPresented(port)) !== oldPrint,
  );
  const newPrint = await findPresented(port, hostname);
  expect(await findPresented(port, 'other.example')).toBe(newPrint);
  expect((await ask('/livez', agentFor(current.cert, hostname))).status).toBe(200);
  for (const servername of [undefined, hostname]) {
    const { client, fingerprint } = await secureSmtp(servername);
    expect(fingerprint).toBe(newPrint);
    client.destroy();
  }

  const again = await ask('/v1/account', agent);
  expect(again.status).toBe(200);
  expect(again.socket).toBe(first.socket);
  expect(await mail.client.codes(`RCPT TO:<${inbox.address}>`, 'DATA')).toEqual([250, 354]);
  mail.client.write('Subject: On the old connection\r\n\r\nHi\r\n.\r\n');
  expect((await mail.client.reply()).code).toBe(250);
  mail.client.destroy();
  expect(JSON.parse((await waiting).body).messages).toMatchObject([{ subject: 'On the old connection' }]);
  agent.destroy();
});
