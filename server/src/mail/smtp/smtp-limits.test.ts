import { setImmediate as nextTurn } from 'node:timers/promises';
import { type InboundSmtp, startInboundSmtp } from '@postrider/testkit/smtp/inbound-smtp.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { type ClientCounts, createClientCounts, createReportGate } from './smtp-clients.ts';
import { type SmtpLimits, smtpLimitDefaults } from './smtp-limits.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const it of open.splice(0).reverse()) await it.close();
});
async function start(options?: Parameters<typeof startInboundSmtp>[0]): Promise<InboundSmtp> {
  const smtp = await startInboundSmtp(options);
  open.push(smtp);
  return smtp;
}
async function connect(smtp: InboundSmtp, localAddress?: string): Promise<RawSmtpClient> {
  const client = await RawSmtpClient.connect(smtp.port, undefined, localAddress);
  open.push({ close: () => client.destroy() });
  return client;
}

/** Starts a server whose timers go on only where a test says so. Its greeting waits for nothing. */
function startTimed(limits: Partial<SmtpLimits>): Promise<InboundSmtp> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  return start({ limits: { greetingPauseMs: 0, ...limits } });
}
/** A client of such a server that was greeted. */
async function connectTimed(smtp: InboundSmtp): Promise<RawSmtpClient> {
  const client = await connect(smtp);
  let isGreeted = false;
  const greeting = client.reply().then(() => {
    isGreeted = true;
  });
  while (!isGreeted) {
    vi.advanceTimersByTime(0);
    await nextTurn();
  }
  await greeting;
  return client;
}

/** A client that has named a sender. */
async function beginMessage(smtp: InboundSmtp): Promise<RawSmtpClient> {
  const client = await connect(smtp);
  await client.reply();
  await client.codes('EHLO client.example', 'MAIL FROM:<a@x.example>');
  return client;
}

test('one connection too many is told to come back while all others have a message, and may when one has gone', async () => {
  const smtp = await start({ limits: { connectionsMax: 2 } });
  const [first] = [await beginMessage(smtp), await beginMessage(smtp)];
  const third = await connect(smtp);
  expect((await third.reply()).lines[0]).toBe(
    '421 4.7.0 mx.postrider.test Too many connections, try again later',
  );
  await third.closed();
  expect(smtp.refusals).toMatchObject([
    { reason: 'connections', session: { remoteAddress: '127.0.0.1', helo: null } },
  ]);
  first?.destroy();
  await expect.poll(async () => (await (await connect(smtp)).reply()).code).toBe(220);
});

test('when all connections are taken, the one that has been without a message for longest gives way', async () => {
  const smtp = await start({ limits: { connectionsMax: 3 } });
  const busy = await beginMessage(smtp);
  const [oldest, served] = [await connect(smtp), await connect(smtp)];
  for (const client of [oldest, served]) await client.reply();
  await served.command('EHLO client.example');
  const fourth = await connect(smtp);
  expect((await oldest.reply()).lines[0]).toBe('421 4.7.0 Too many connections, closing an idle one');
  await oldest.closed();
  expect((await fourth.reply()).code).toBe(220);
  expect((await served.deliver('x\r\n.\r\n')).code).toBe(250);
  // A client that was served is the last to go, so the fourth goes first.
  const fifth = await connect(smtp);
  expect([(await fourth.reply()).code, (await fifth.reply()).code]).toEqual([421, 220]);
  expect(await busy.codes('RCPT TO:<bob@x.example>', 'RSET')).toEqual([250, 250]);
  expect(smtp.server.connectionCount()).toBe(3);
});

test('a client that is over its own limit sends nobody away', async () => {
  const smtp = await start({
    limits: { connectionsMax: 2, connectionsPerClientMax: 1, loopbackExempt: false },
  });
  const [first, second] = [await connect(smtp), await connect(smtp, '127.0.0.2')];
  for (const client of [first, second]) await client.reply();
  expect((await (await connect(smtp)).reply()).lines[0]).toMatch(/^421 4\.7\.0 .*your address/);
  expect([(await first.command('NOOP')).code, (await second.command('NOOP')).code]).toEqual([250, 250]);
});

test('200 clients that say nothing keep nobody out, however fast they come back', async () => {
  const smtp = await start({ limits: { connectionsMax: 20 } });
  for (let i = 0; i < 200; i += 1) await connect(smtp);
  const client = await connect(smtp);
  expect((await client.reply()).code).toBe(220);
  await client.command('EHLO client.example');
  expect((await client.deliver('x\r\n.\r\n')).code).toBe(250);
  expect(smtp.server.connectionCount()).toBe(20);
});

test('once more than half of the connections are taken, those without a message go soon, and not before', async () => {
  const smtp = await start({ limits: { connectionsMax: 4, crowdedIdleTimeoutMs: 200 } });
  const first = await connect(smtp);
  await first.reply();
  const second = await beginMessage(smtp);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect((await first.command('NOOP')).code).toBe(250);
  const third = await connect(smtp);
  expect((await third.reply()).code).toBe(220);
  // Silence is not asked for: who only keeps the line busy goes as well.
  const busy = setInterval(() => third.write('NOOP\r\n'), 50);
  expect((await first.reply()).code).toBe(421);
  clearInterval(busy);
  await first.closed();
  expect((await third.command('NOOP')).code).toBe(250);
  second.destroy();
});

test('one client cannot take all connections, another still gets one', async () => {
  const smtp = await start({ limits: { connectionsPerClientMax: 2, loopbackExempt: false } });
  await connect(smtp);
  await connect(smtp);
  expect((await (await connect(smtp)).reply()).lines[0]).toMatch(/^421 4\.7\.0 .*your address/);
  expect((await (await connect(smtp, '127.0.0.2')).reply()).code).toBe(220);
});

/** Admits a client that must not be refused. */
function admit(counts: ClientCounts, address: string): () => void {
  const admitted = counts.admit(address);
  if (typeof admitted !== 'function') throw new Error(admitted.text);
  return admitted;
}

test('clients on this machine are free of the limit per client', () => {
  const counts = createClientCounts({ ...smtpLimitDefaults, connectionsPerClientMax: 1 });
  for (const address of ['::1', '::1', '127.0.0.9', '::ffff:127.0.0.9']) admit(counts, address);
  const release = admit(counts, '192.0.2.1');
  expect(counts.admit('::ffff:192.0.2.1')).toMatchObject({ code: 421 });
  release();
  admit(counts, '192.0.2.1');
});

test('a client that connects again and again has to wait, and others have not', () => {
  let now = 0;
  const limits = { ...smtpLimitDefaults, connectionRate: { perMinute: 60, burst: 2 } };
  const counts = createClientCounts(limits, () => now);
  const connectAndGo = (address: string) => {
    const admitted = counts.admit(address);
    if (typeof admitted !== 'function') return admitted.text;
    admitted();
    return null;
  };
  expect(Array.from({ length: 3 }, () => connectAndGo('192.0.2.1'))).toEqual([
    null,
    null,
    'Too many new connections from your address, try again in a minute',
  ]);
  expect([connectAndGo('192.0.2.2'), connectAndGo('127.0.0.1')]).toEqual([null, null]);
  now = 1_000;
  expect(connectAndGo('192.0.2.1')).toBeNull();
});

test('a client may send so many messages in a while, over all its connections, and is never refused for good', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const messageRate = { perMinute: 60, burst: 2 };
  const smtp = await start({ limits: { messageRate, loopbackExempt: false } });
  const [one, two] = [await connect(smtp), await connect(smtp)];
  for (const client of [one, two]) {
    await client.reply();
    await client.command('EHLO client.example');
    expect((await client.deliver('x\r\n.\r\n')).code).toBe(250);
  }
  expect((await one.command('MAIL FROM:<a@x.example>')).lines[0]).toBe(
    '450 4.7.1 Too many messages from your address, try again in a minute',
  );
  expect(smtp.refusals).toMatchObject([{ reason: 'rate', envelopeFrom: 'a@x.example' }]);
  const other = await connect(smtp, '127.0.0.2');
  await other.reply();
  await other.command('EHLO client.example');
  expect((await other.deliver('x\r\n.\r\n')).code).toBe(250);
  vi.advanceTimersByTime(1_000);
  expect((await one.command('MAIL FROM:<a@x.example>')).code).toBe(250);
  expect((await one.command('RSET')).code).toBe(250);
});

test('a client that sent many bytes waits before its next message, which is taken all the same', async () => {
  const byteRate = { perMinute: 60_000, burst: 1_000 };
  const smtp = await start({ limits: { byteRate, byteWaitMsMax: 300, loopbackExempt: false } });
  const client = await RawSmtpClient.greet(smtp.port);
  const send = async (bytes: number) => {
    const from = performance.now();
    await client.codes('MAIL FROM:<a@x.example>');
    const waited = performance.now() - from;
    await client.codes('RCPT TO:<bob@inbox.example>', 'DATA');
    client.write(`Subject: s\r\n\r\n${'x\r\n'.repeat(bytes / 3)}.\r\n`);
    expect((await client.reply()).code).toBe(250);
    return waited;
  };
  await send(60);
  await send(300_000);
  expect(await send(60)).toBeGreaterThanOrEqual(290);
  // One that goes away while it waits is no error.
  await send(300_000);
  client.write('MAIL FROM:<a@x.example>\r\n');
  client.destroy();
  await new Promise((resolve) => setTimeout(resolve, 400));
  await (await connect(smtp, '127.0.0.2')).reply();
});

test('too many errors close the connection, and a message that was taken forgives them', async () => {
  const smtp = await start({ limits: { errorsMax: 3 } });
  const client = await connect(smtp);
  await client.reply();
  await client.command('EHLO client.example');
  expect(
    await client.codes('MAIL FROM:<a@x.example>', 'RCPT TO:<nobody@x.example>', 'RCPT TO:<nobody@x.example>'),
  ).toEqual([250, 550, 550]);
  await client.command('RSET');
  expect((await client.deliver('x\r\n.\r\n')).code).toBe(250);
  await client.command('MAIL FROM:<a@x.example>');
  client.write('RCPT TO:<nobody@x.example>\r\n'.repeat(5));
  expect([(await client.reply()).code, (await client.reply()).code, (await client.reply()).code]).toEqual([
    550, 550, 550,
  ]);
  expect((await client.reply()).lines[0]).toBe('421 4.7.0 Too many errors');
  expect(await client.closed()).toBe('');
  expect(smtp.refusals.at(-1)).toMatchObject({ reason: 'errors', envelopeFrom: 'a@x.example' });
});

test('too many commands without a message close the connection', async () => {
  const smtp = await start({ limits: { commandsMax: 10 } });
  const client = await connect(smtp);
  await client.reply();
  client.write('NOOP\r\n'.repeat(11));
  for (let i = 0; i < 10; i += 1) expect((await client.reply()).code).toBe(250);
  expect((await client.reply()).lines[0]).toBe('421 4.7.0 Too many commands without a message');
});

test('a client that says nothing is sent away after a while', async () => {
  const smtp = await start({ limits: { idleTimeoutMs: 3_000, greetingPauseMs: 1 } });
  const client = await connect(smtp);
  await client.reply();
  expect((await client.reply()).lines[0]).toMatch(/^421 4\.4\.2 /);
  await client.closed();
  expect(smtp.refusals).toEqual([]);
});

test('a client that never says anything is sent away sooner than one that pauses', async () => {
  const smtp = await startTimed({ firstCommandTimeoutMs: 3_000 });
  const [silent, slow] = [await connectTimed(smtp), await connectTimed(smtp)];
  await slow.command('EHLO client.example');
  vi.advanceTimersByTime(3_000);
  expect((await silent.reply()).lines[0]).toBe('421 4.4.2 Timeout: no command received');
  await silent.closed();
  expect((await slow.deliver('x\r\n.\r\n')).code).toBe(250);
  expect(smtp.refusals).toEqual([]);
});

test('a message that drips in for ever is cut off, however steadily it drips', async () => {
  const smtp = await start({ limits: { dataTimeoutMs: 300 } });
  const client = await connect(smtp);
  await client.reply();
  await client.command('EHLO client.example');
  await client.codes('MAIL FROM:<a@x.example>', 'RCPT TO:<bob@x.example>', 'DATA');
  const drip = setInterval(() => client.write('x'), 20);
  expect((await client.reply()).lines[0]).toMatch(/^421 4\.4\.2 /);
  await client.closed();
  clearInterval(drip);
  expect(smtp.taken).toEqual([]);
  expect(smtp.refusals).toMatchObject([{ reason: 'timeout', recipients: ['bob@x.example'] }]);
});

test('a message that drips in gives way when all connections are taken, and one that comes steadily does not', async () => {
  const smtp = await start({
    limits: {
      connectionsMax: 2,
      drippingAfterMs: 300,
      drippingBytesPerSecond: 1_000,
      crowdedIdleTimeoutMs: 60_000,
    },
  });
  const [dripping, steady] = [await beginMessage(smtp), await beginMessage(smtp)];
  for (const client of [dripping, steady]) await client.codes('RCPT TO:<bob@x.example>', 'DATA');
  const drip = setInterval(() => dripping.write('x'), 50);
  const flow = setInterval(() => steady.write(`${'x'.repeat(1_000)}\r\n`), 50);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const third = await connect(smtp);
  expect((await dripping.reply()).lines[0]).toMatch(/^421 4\.7\.0 Too many connections/);
  expect((await third.reply()).code).toBe(220);
  for (const timer of [drip, flow]) clearInterval(timer);
  steady.write('\r\n.\r\n');
  expect((await steady.reply()).code).toBe(250);
});

test('a client that says nothing between two messages is sent away, and one with a sender named is not yet', async () => {
  const smtp = await startTimed({ firstCommandTimeoutMs: 300, restTimeoutMs: 300 });
  const [resting, begun] = [await connectTimed(smtp), await connectTimed(smtp)];
  await begun.codes('EHLO client.example', 'MAIL FROM:<a@x.example>');
  await resting.command('EHLO client.example');
  expect((await resting.deliver('x\r\n.\r\n')).code).toBe(250);
  vi.advanceTimersByTime(299);
  expect((await resting.command('NOOP')).code).toBe(250);
  vi.advanceTimersByTime(300);
  expect((await resting.reply()).lines[0]).toBe('421 4.4.2 Timeout: no command received');
  expect(await begun.codes('RCPT TO:<bob@x.example>', 'RSET')).toEqual([250, 250]);
});

test('500 idle connections do not keep a message waiting', async () => {
  const smtp = await start();
  const idle = await Promise.all(Array.from({ length: 500 }, () => connect(smtp)));
  // The system accepts connections before the server has them.
  await expect.poll(() => smtp.server.connectionCount()).toBe(500);
  const client = await connect(smtp);
  await client.reply();
  await client.command('EHLO client.example');
  expect((await client.deliver('x\r\n.\r\n')).code).toBe(250);
  expect(smtp.server.connectionCount()).toBe(501);
  for (const one of idle) one.destroy();
  await expect.poll(() => smtp.server.connectionCount()).toBe(1);
});

test('reports of one kind from one client are counted by the minute', () => {
  let now = 0;
  const mayReport = createReportGate(2, () => now);
  expect([mayReport('a'), mayReport('a'), mayReport('a'), mayReport('b')]).toEqual([true, true, false, true]);
  now = 60_000;
  expect(mayReport('a')).toBe(true);
});
