import { createServer } from 'node:net';
import { startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { afterEach, expect, test } from 'vitest';
import { openDns } from '../../../dns/ask-resolver.ts';
import { askIn } from './examine-dns.ts';
import { examineInbound, examineOutbound } from './examine-smtp.ts';
import { readGreeting } from './speak-smtp.ts';

const host = '127.0.0.1';
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const it of open.splice(0)) await it.close();
});
const startSink = async () => {
  const sink = await MailSink.start();
  open.push(sink);
  return sink;
};
/** A server that says `text` to everybody. */
const startSpeaker = async (text: string) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(text);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  open.push({ close: () => server.close() });
  return Number(Object(server.address()).port);
};
const closedPort = async () => {
  const sink = await MailSink.start();
  const { port } = sink;
  await sink.close();
  return port;
};

test('the greeting of this server on its public port is fine, and says what it does not prove', async () => {
  const { port, commands } = await startSink();
  expect(await examineInbound('sink.test', [host], null, port)).toEqual([
    {
      part: 'inbound',
      state: 'ok',
      text: expect.stringContaining('a firewall may still block others'),
    },
  ]);
  await expect.poll(() => commands).toEqual(['QUIT']);
});

test('another server, a refusal, or no SMTP on the public port is a problem', async () => {
  const { port } = await startSink();
  expect(await examineInbound('mx.acme.com', [host], null, port)).toMatchObject([
    { state: 'problem', text: expect.stringContaining('Another server') },
  ]);
  const refusing = await startSpeaker('554 mx.acme.com No service\r\n');
  expect(await examineInbound('mx.acme.com', [host], null, refusing)).toMatchObject([
    { state: 'problem', text: expect.stringContaining('554 mx.acme.com No service') },
  ]);
  const web = await startSpeaker('HTTP/1.1 400 Bad Request\r\n\r\n');
  expect(await examineInbound('mx.acme.com', [host], null, web)).toMatchObject([
    { state: 'problem', text: expect.stringContaining('does not speak SMTP') },
  ]);
  expect(await examineInbound('mx.acme.com', [host], null, await closedPort())).toMatchObject([
    {
      state: 'problem',
      text: expect.stringContaining('refused'),
      remedy: expect.stringContaining('firewall'),
    },
  ]);
});

test('port 25 is not tried if mail arrives by another server, and is if it may arrive here', async () => {
  const sink = await startSink();
  expect(await examineInbound('sink.test', [host], ['filter.test'], sink.port)).toEqual([
    { part: 'inbound', state: 'note', text: expect.stringContaining('mail goes to filter.test') },
  ]);
  expect(sink.connections).toBe(0);
  for (const exchanges of [[], ['filter.test', 'sink.test']])
    expect(await examineInbound('sink.test', [host], exchanges, sink.port)).toMatchObject([{ state: 'ok' }]);
});

test('a greeting of several lines counts, and one that never ends has a limit of bytes and time', async () => {
  const long = await startSpeaker('220-mx.acme.com ESMTP\r\n220-Hello\r\n220 Welcome\r\n');
  expect(await readGreeting({ host, port: long, timeMs: 300_000 })).toMatchObject({
    code: 220,
    text: 'mx.acme.com ESMTP',
  });
  const endless = await startSpeaker('220-more\r\n'.repeat(2_000));
  await expect(readGreeting({ host, port: endless, timeMs: 300_000 })).rejects.toThrow('too much');
  const silent = await startSpeaker('');
  await expect(readGreeting({ host, port: silent, timeMs: 50 })).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});

test('one receiver that greets proves that port 25 of others can be reached', async () => {
  const sink = await startSink();
  const dns = await startDnsServer();
  open.push(dns);
  dns.set('gmail.com', 'MX', ['20 alt.gmail.test', '5 mx.gmail.test']);
  dns.set('mx.gmail.test', 'A', [host]);
  const ask = askIn(await openDns(dns.address));
  expect(await examineOutbound(ask, sink.port)).toEqual([
    { part: 'outbound', state: 'ok', text: expect.stringContaining('sink.test') },
  ]);
  await expect.poll(() => sink.commands).toEqual(['QUIT']);
});

test('no receiver that can be reached is a problem with a way out, and an unknown one is only noted', async () => {
  const dns = await startDnsServer();
  open.push(dns);
  const ask = askIn(await openDns(dns.address));
  expect(await examineOutbound(ask)).toMatchObject([{ state: 'note', text: expect.stringContaining('MX') }]);
  dns.set('outlook.com', 'MX', ['5 mx.outlook.test']);
  dns.set('mx.outlook.test', 'A', [host]);
  expect(await examineOutbound(ask, await closedPort())).toMatchObject([
    { state: 'problem', remedy: expect.stringContaining('POSTRIDER_SMTP_RELAY') },
  ]);
});
