import { buffer } from 'node:stream/consumers';
import { startInboundSmtp } from '@postrider/testkit/smtp/inbound-smtp.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { expect, test } from 'vitest';

const envelope = ['MAIL FROM:<a@x.example>', 'RCPT TO:<bob@inbox.example>'];

test('clients without a message hear 421, new ones are refused, and the end comes at once', async () => {
  const smtp = await startInboundSmtp();
  const idle = await RawSmtpClient.greet(smtp.port);
  const halfway = await RawSmtpClient.greet(smtp.port);
  await halfway.codes(...envelope);
  const silent = await RawSmtpClient.connect(smtp.port);
  const closed = smtp.server.close(600_000);
  expect((await idle.reply()).lines[0]).toBe('421 4.3.2 Shutting down, try again later');
  expect((await halfway.reply()).code).toBe(421);
  expect((await silent.reply()).code).toBe(421);
  await expect(RawSmtpClient.connect(smtp.port)).rejects.toThrow('ECONNREFUSED');
  await closed;
  expect(smtp.refusals.map(({ reason, recipients }) => ({ reason, recipients }))).toEqual([
    { reason: 'shutdown', recipients: ['bob@inbox.example'] },
  ]);
});

test('a message on its way is taken and answered before the connection closes', async () => {
  const smtp = await startInboundSmtp();
  const client = await RawSmtpClient.greet(smtp.port);
  await client.codes(...envelope, 'DATA');
  client.write('Subject: last\r\n\r\n');
  const closed = smtp.server.close(300_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  client.write('but whole\r\n.\r\n');
  expect((await client.reply()).lines[0]).toBe('250 2.0.0 Stored as number 1');
  expect((await client.reply()).lines[0]).toMatch(/^421 4\.3\.2 /);
  await closed;
  expect(smtp.taken).toHaveLength(1);
});

test('a message that waits for its answer gets it', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const smtp = await startInboundSmtp({
    callbacks: {
      async onData(_session, _envelope, stream) {
        await buffer(stream);
        await answered;
        return { code: 250, enhanced: '2.0.0', text: 'Stored' };
      },
    },
  });
  const client = await RawSmtpClient.greet(smtp.port);
  await client.codes(...envelope, 'DATA');
  client.write('x\r\n.\r\n');
  await new Promise((resolve) => setTimeout(resolve, 50));
  const closed = smtp.server.close(300_000);
  answer();
  expect((await client.reply()).code).toBe(250);
  await closed;
});

test('what is not done when the grace is over is cut without a 250', async () => {
  const smtp = await startInboundSmtp();
  const client = await RawSmtpClient.greet(smtp.port);
  await client.codes(...envelope, 'DATA');
  client.write('Subject: never ends\r\n');
  await smtp.server.close(200);
  expect(await client.closed()).not.toContain('250');
  expect(smtp.taken).toEqual([]);
});

test('closing twice, or before listening, is no error', async () => {
  const smtp = await startInboundSmtp();
  await Promise.all([smtp.server.close(100), smtp.server.close(100)]);
  await smtp.server.close(100);
});
