import { sayHttp } from '@postrider/testkit/http/raw-http.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ roles: ['api'] });
});
afterAll(() => server.stop());

const ask = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(`${url}/metrics`, { headers })).status;

test('Interface 10 POSTRIDER_METRICS_TOKEN: without one, /metrics answers this machine, and nothing that a proxy passed on', async () => {
  expect(await ask(server.url)).toBe(200);
  for (const name of [
    'Forwarded',
    'Via',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Forwarded-Port',
    'X-Real-IP',
    'X-Client-IP',
    'True-Client-IP',
    'CF-Connecting-IP',
  ])
    expect([name, await ask(server.url, { [name]: '127.0.0.1' })]).toEqual([name, 401]);
  const named = (host: string) =>
    sayHttp(server.url, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const statuses = ['localhost:4400', '127.0.0.1', '[::1]:80', 'mail.example.com', 'localhost.example.com'];
  expect((await Promise.all(statuses.map(named))).map(({ status }) => status)).toEqual([
    200, 200, 200, 401, 401,
  ]);
});

test('Interface 10 POSTRIDER_METRICS_TOKEN: where a proxy is configured, /metrics wants the token', async () => {
  for (const env of [
    { POSTRIDER_PUBLIC_URL: 'https://mail.example.com' },
    { POSTRIDER_TRUST_PROXY: 'loopback' },
    { POSTRIDER_FILES_URL: 'https://files.example.com' },
  ]) {
    const behind = await startTestServer({ roles: ['api'], env });
    expect([env, await ask(behind.url)]).toEqual([env, 401]);
    await behind.stop();
  }
  const token = await startTestServer({
    roles: ['api'],
    env: { POSTRIDER_PUBLIC_URL: 'https://mail.example.com', POSTRIDER_METRICS_TOKEN: 't'.repeat(32) },
  });
  const bearer = (text: string) => ({ authorization: `Bearer ${text}`, 'x-forwarded-for': '192.0.2.1' });
  expect([await ask(token.url, bearer('t'.repeat(32))), await ask(token.url, bearer('x'))]).toEqual([
    200, 401,
  ]);
  await token.stop();
});
