import { type InboundSmtp, startInboundSmtp } from '@postrider/testkit/smtp/inbound-smtp.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Meddling, startSmtpProxy } from './smtp-proxy.ts';

let smtp: InboundSmtp;
let answer: { code: number; enhanced: string; text: string };
let ends: (() => unknown)[];

beforeEach(async () => {
  answer = { code: 250, enhanced: '2.0.0', text: 'Stored' };
  smtp = await startInboundSmtp({
    callbacks: {
      onData: async (_session, _envelope, stream) => {
        for await (const _chunk of stream);
        return answer;
      },
    },
  });
  ends = [() => smtp.close()];
  return async () => {
    for (const end of ends.reverse()) await end();
  };
});

const through = async (meddling: Meddling): Promise<RawSmtpClient> => {
  const proxy = await startSmtpProxy(() => smtp.port, meddling);
  ends.push(() => proxy.close());
  return RawSmtpClient.greet(proxy.port);
};

describe('a proxy between senders and server', () => {
  test('acknowledges early what the server then refuses, and keeps later replies in order', async () => {
    const client = await through({ acknowledgeEarly: true });
    answer = { code: 451, enhanced: '4.3.0', text: 'Not stored' };
    expect((await client.deliver('one\r\n.\r\n')).lines).toEqual(['250 2.0.0 Ok: taken by the proxy']);
    expect((await client.deliver('two\r\n.\r\n')).code).toBe(250);
    expect((await client.command('NOOP')).code).toBe(250);
  });

  test('cuts the connection in place of the final answer, and of no other', async () => {
    let drops = 0;
    const client = await through({ dropFinal: () => ++drops === 2 });
    expect((await client.deliver('one\r\n.\r\n')).code).toBe(250);
    await expect(client.deliver('two\r\n.\r\n')).rejects.toThrow('closed the connection');
    expect(drops).toBe(2);
  });

  test('changes replies and bytes', async () => {
    const client = await through({
      reply: (line) => line.replace('550', '250'),
      bytes: (chunk) => Buffer.from(chunk.toString().replace('somebody', 'nobody')),
    });
    expect(await client.codes('MAIL FROM:<a@b.example>', 'RCPT TO:<somebody@inbox.example>')).toEqual([
      250, 250,
    ]);
    expect(smtp.asked).toEqual([{ from: 'a@b.example', recipient: 'nobody@inbox.example' }]);
  });
});
