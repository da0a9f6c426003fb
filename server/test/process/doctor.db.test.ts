import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { startLocalSes } from '@postrider/testkit/servers/local-ses.ts';
import { makeServerHome, type ServerHome } from '@postrider/testkit/servers/server-process.ts';
import { afterEach, expect, test } from 'vitest';

let home: ServerHome;
afterEach(() => home.remove());

/** Returns the verdicts of `doctor` on each part, such as `ok folder`, in its order. */
const doctor = async (env: Record<string, string> = {}) => {
  const { code, output } = await home.run(['doctor'], env);
  const lines = output
    .split('\n')
    .flatMap((line) => /^(ok|note|problem) +(\w+) +(.*)$/.exec(line)?.slice(1, 4) ?? []);
  const parts = Object.fromEntries(
    Array.from({ length: lines.length / 3 }, (_, i) => [
      lines[3 * i + 1],
      `${lines[3 * i]} ${lines[3 * i + 2]}`,
    ]),
  ) as Record<string, string>;
  return { code, output, parts };
};

const server = 'runs as process';

test('doctor finds nothing wrong with a server that runs, nor with one that does not', async () => {
  home = await makeServerHome();
  const running = await home.start();
  const seen = await doctor();
  expect([seen.code, seen.output]).toEqual([0, expect.stringContaining('No problems.')]);
  for (const part of [
    'settings',
    'folder',
    'disk',
    'server',
    'database',
    'schema',
    'secret',
    'clock',
    'mail',
    'search',
    'files',
    'transport',
    'dns',
  ])
    expect([part, seen.parts[part]]).toEqual([part, expect.stringMatching(/^(ok|note) /)]);
  expect(seen.parts.server).toContain(`${server} ${running.pid}`);
  await running.stop();
  const still = await doctor();
  expect([still.code, still.parts.server]).toEqual([0, 'note does not run']);
  expect(still.parts.database).toContain('ok Postgres');
});

test('doctor names what is wrong, with the way out, and exits with 1', async () => {
  home = await makeServerHome();
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const port = String(Object(taken.address()).port);
  const { code, output, parts } = await doctor({
    POSTRIDER_HTTP_PORT: port,
    POSTRIDER_TRANSPORT: 'smtp',
    POSTRIDER_SMTP_RELAY: 'smtp://user:hunter2@127.0.0.1:1',
    POSTRIDER_DISK_RESERVE: '9999TB',
    POSTRIDER_HTPP_PORT: '1',
  });
  expect([code, output]).toEqual([1, expect.stringContaining('3 problems.')]);
  expect(parts.http).toContain('problem Another program already listens at');
  expect(parts.transport).toMatch(/^problem smtp: /);
  expect(parts.disk).toContain('incoming mail is deferred');
  expect(output).toContain('POSTRIDER_HTPP_PORT is unknown');
  for (const name of ['POSTRIDER_SMTP_RELAY', 'POSTRIDER_DISK_RESERVE']) expect(output).toContain(name);
  expect(output).not.toContain('hunter2');
  await new Promise((resolve) => taken.close(resolve));
});

test('doctor tells what keeps mail from working, as a table and as JSON', async () => {
  const dns = await startDnsServer();
  try {
    dns.set('gmail.com', 'MX', ['5 mx.receiver.test']);
    dns.set('acme.com', 'MX', ['10 mx.acme.com']);
    dns.set('mx.acme.com', 'A', ['127.0.0.1']);
    dns.set('dnssec-failed.org', 'A', ['192.0.2.1']);
    dns.set('ietf.org', 'A', ['192.0.2.1']);
    dns.set('acme.com', 'TXT', ['v=spf1 include:relay.example.net -all']);
    home = await makeServerHome({
      POSTRIDER_MAIL_DOMAIN: 'acme.com',
      POSTRIDER_SMTP_HOSTNAME: 'mx.acme.com',
      POSTRIDER_DNS: dns.address,
      POSTRIDER_TRANSPORT: 'smtp',
      POSTRIDER_SMTP_RELAY: 'smtp://user:hunter2@127.0.0.1:1',
    });
    const running = await home.start();
    await running.client.domains.create({ hostname: 'shop.example' });
    const json = await home.run(['doctor', '--json', '--blocklists']);
    const { ok, findings } = JSON.parse(json.output) as {
      ok: boolean;
      findings: { part: string; state: string; text: string; remedy: string | null }[];
    };
    const of = (part: string) => findings.filter((finding) => finding.part === part);
    expect([json.code, ok]).toEqual([1, false]);
    expect(of('server')).toMatchObject([{ state: 'ok', text: expect.stringContaining(`${running.pid}`) }]);
    expect(of('transport')).toMatchObject([{ state: 'problem' }]);
    expect(of('dns')).toMatchObject([{ state: 'ok', remedy: null }]);
    expect(of('dkim')).toMatchObject([{ state: 'problem', remedy: expect.stringContaining('v=DKIM1') }]);
    expect(of('domains')).toMatchObject([
      { state: 'note', text: expect.stringContaining('shop.example is not verified yet') },
      { state: 'ok', text: '0 of 1 domains are in order' },
    ]);
    expect(of('spf')).toMatchObject([{ state: 'note', remedy: expect.stringContaining('POSTRIDER_SPF') }]);
    expect(of('dmarc')).toMatchObject([{ state: 'note' }]);
    expect(of('hostname')).toMatchObject([{ state: 'note', text: expect.stringContaining('not public') }]);
    expect(of('resolver')).toMatchObject([{ state: 'note' }]);
    expect(of('blocklists')).toMatchObject([{ state: 'note' }]);
    expect(of('inbound')).toHaveLength(1);
    expect(json.output).not.toContain('hunter2');
    await running.stop();
    const table = await doctor();
    expect([table.code, table.output]).toEqual([1, expect.stringMatching(/^\d problems\.$/m)]);
    expect(table.parts.server).toBe('note does not run');
    expect(table.output).toMatch(/^problem +dkim +.+\n +→ Publish only .+_domainkey\.acme\.com\. TXT/m);
    expect(table.output).not.toMatch(/ (inbound|blocklists) /);
  } finally {
    await dns.close();
  }
});

test('doctor says what cannot be read or reached instead of failing', async () => {
  home = await makeServerHome();
  const wrong = await doctor({ POSTRIDER_HTTP_PORT: 'x', POSTRIDER_LOG: 'loud' });
  expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('2 problems.')]);
  const away = await doctor({ DATABASE_URL: 'postgres://ada@127.0.0.1:1/x' });
  expect([away.code, away.parts.database]).toEqual([1, expect.stringContaining('cannot be reached')]);
  const file = join(home.dataDir, 'a-file');
  await writeFile(file, '');
  const folder = await doctor({ POSTRIDER_DATA_DIR: file });
  expect([folder.code, folder.parts.folder]).toEqual([1, expect.stringContaining('is a file')]);
});

test('doctor makes no database, and tells of a secret that is gone', async () => {
  home = await makeServerHome({ POSTRIDER_SECRET: '' }, { database: {} });
  const none = await doctor({ POSTRIDER_DATA_DIR: join(home.dataDir, 'none') });
  expect([none.code, none.parts.folder]).toEqual([0, expect.stringContaining('does not exist yet')]);
  await (await home.start()).stop();
  const own = await doctor();
  expect(own.parts.database).toMatch(
    /^ok the server’s own Postgres 18\.\d+, released \d{4}-\d\d-\d\d, \d+ MB, last checkpoint \d{4}-/,
  );
  await rm(join(home.dataDir, 'secret'));
  const { code, parts } = await doctor();
  expect([code, parts.secret]).toEqual([1, expect.stringContaining('secret is missing')]);
});

test('doctor names the quotas of Amazon SES, and that the account is in the sandbox', async () => {
  const ses = await startLocalSes();
  home = await makeServerHome();
  const settings = {
    POSTRIDER_TRANSPORT: 'ses',
    POSTRIDER_SES_REGION: 'eu-west-1',
    POSTRIDER_SES_ENDPOINT: ses.url,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  expect((await doctor(settings)).parts.transport).toMatch(/^ok ses: ready, 1000 messages a second/);
  ses.account.sandbox = true;
  expect((await doctor(settings)).parts.transport).toMatch(/^problem ses: the account is in the sandbox/);
  await ses.close();
});
