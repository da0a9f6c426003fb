import { type InboundSmtp, startInboundSmtp } from '@postrider/testkit/smtp/inbound-smtp.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let smtp: InboundSmtp;
let client: RawSmtpClient;
beforeAll(async () => {
  smtp = await startInboundSmtp();
});
afterAll(() => smtp.close());
beforeEach(async () => {
  smtp.taken.length = 0;
  client = await RawSmtpClient.greet(smtp.port);
  return () => client.destroy();
});
const envelope = ['MAIL FROM:<a@sender.example>', 'RCPT TO:<bob@inbox.example>'];
const bodies = () => smtp.taken.map(({ raw }) => raw.toString('latin1'));

describe('a message ends at <CR><LF>.<CR><LF> and nowhere else', () => {
  test.each([
    ['\\n.\\n', '\n.\n'],
    ['\\r\\n.\\n', '\r\n.\n'],
    ['\\n.\\r\\n', '\n.\r\n'],
    ['\\r.\\r', '\r.\r'],
    ['\\r\\n.\\r', '\r\n.\r'],
    ['\\r.\\r\\n', '\r.\r\n'],
    ['\\r\\n\\0.\\r\\n', '\r\n\0.\r\n'],
    ['\\r\\n..\\r\\n', '\r\n..\r\n'],
    ['\\r\\n.\\0\\r\\n', '\r\n.\0\r\n'],
    ['\\r\\r\\n.\\r\\r\\n', '\r\r\n.\r\r\n'],
    ['\\r\\n .\\r\\n', '\r\n .\r\n'],
    ['\\u2028.\\u2028', '\u2028.\u2028'],
  ])('%s smuggles no second message in', async (_name, end) => {
    await client.codes(...envelope, 'DATA');
    client.write(
      `Subject: one\r\n\r\nbody${end}MAIL FROM:<evil@x.example>\r\nRCPT TO:<bob@inbox.example>\r\nDATA\r\n`,
    );
    client.write('Subject: two\r\n\r\nsmuggled\r\n.\r\n');
    expect((await client.reply()).code).toBe(250);
    expect((await client.command('NOOP')).code).toBe(250);
    expect(smtp.taken).toHaveLength(1);
    expect(bodies()[0]).toContain('smuggled');
  });

  test('an end that comes byte by byte is one end', async () => {
    await client.codes(...envelope, 'DATA');
    for (const byte of 'Subject: drip\r\n\r\n..a\r\n..\r\n.\r\n') {
      client.write(byte);
      await new Promise(setImmediate);
    }
    expect((await client.reply()).code).toBe(250);
    expect(bodies()).toEqual(['Subject: drip\r\n\r\n.a\r\n.\r\n']);
  });

  test('a message of nothing is a message', async () => {
    expect((await client.deliver('.\r\n')).code).toBe(250);
    expect(bodies()).toEqual(['']);
  });

  test('bytes of every value, long lines and bare line ends arrive as they were sent', async () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
      .toString('latin1')
      .replaceAll('.', '');
    const content = `Subject: raw\r\n\r\n${all}\r\n${'x'.repeat(100_000)}\r\nbare\nlf\rcr\r\n`;
    await client.deliver(Buffer.from(`${content}.\r\n`, 'latin1'));
    expect(bodies()).toEqual([content]);
  });
});

describe('commands', () => {
  test('a whole pipelined session is answered in order', async () => {
    client.write(`${envelope.join('\r\n')}\r\nRCPT TO:<nobody@inbox.example>\r\nDATA\r\n`);
    const codes = [];
    for (let i = 0; i < 4; i += 1) codes.push((await client.reply()).code);
    client.write('hi\r\n.\r\nMAIL FROM:<>\r\nQUIT\r\n');
    for (let i = 0; i < 3; i += 1) codes.push((await client.reply()).code);
    expect(codes).toEqual([250, 250, 550, 354, 250, 250, 221]);
    expect(bodies()).toEqual(['hi\r\n']);
  });

  test('a line of 10,000 characters is a syntax error and the session goes on', async () => {
    expect(
      await client.codes('A'.repeat(10_000), `MAIL FROM:<${'a'.repeat(10_000)}@x.example>`, 'NOOP'),
    ).toEqual([500, 501, 250]);
  });

  test('a line that never ends closes the connection', async () => {
    client.write('A'.repeat(40_000));
    expect((await client.reply()).lines[0]).toMatch(/^421 4\.7\.0 /);
    await client.closed();
  });

  test('NUL and other controls in an address or a name are refused', async () => {
    expect(
      await client.codes(
        'MAIL FROM:<a\0@x.example>',
        'MAIL FROM:<a\u0085@x.example>',
        'EHLO a\0b',
        'EHLO client.example',
        'NOOP \0',
      ),
    ).toEqual([501, 501, 501, 250, 250]);
  });

  test('invalid UTF-8 in an address is refused, valid UTF-8 is taken with and without SMTPUTF8', async () => {
    client.write(Buffer.from('MAIL FROM:<f\xfcr@x.example>\r\n', 'latin1'));
    expect((await client.reply()).code).toBe(501);
    expect(
      await client.codes('MAIL FROM:<für@x.example>', 'RSET', 'MAIL FROM:<für@münchen.example> SMTPUTF8'),
    ).toEqual([250, 250, 250]);
    expect(
      await client.codes('RCPT TO:<пошта@пример.example>', 'RCPT TO:<bob@xn--e1afmkfd.example>'),
    ).toEqual([250, 250]);
    expect(smtp.asked.slice(-2)).toEqual([
      { from: 'für@münchen.example', recipient: 'пошта@пример.example' },
      { from: 'für@münchen.example', recipient: 'bob@xn--e1afmkfd.example' },
    ]);
  });

  test('commands out of order are refused', async () => {
    const fresh = await RawSmtpClient.connect(smtp.port);
    await fresh.reply();
    expect(await fresh.codes('MAIL FROM:<a@x.example>', 'HELO a', 'RCPT TO:<b@x.example>', 'DATA')).toEqual([
      503, 250, 503, 503,
    ]);
    expect(await fresh.codes('MAIL FROM:<a@x.example>', 'MAIL FROM:<a@x.example>', 'DATA')).toEqual([
      250, 503, 503,
    ]);
    fresh.destroy();
  });

  test('RSET and EHLO forget the envelope', async () => {
    expect(await client.codes(...envelope, 'RSET', 'DATA')).toEqual([250, 250, 250, 503]);
    expect(await client.codes(...envelope, 'EHLO again.example', 'DATA')).toEqual([250, 250, 250, 503]);
  });

  test('parameters are checked', async () => {
    expect(
      await client.codes(
        'MAIL FROM:<a@x.example> BODY=BINARYMIME',
        'MAIL FROM:<a@x.example> SIZE=many',
        'MAIL FROM:<a@x.example> SIZE=1 SIZE=2',
        'MAIL FROM:<a@x.example> SMTPUTF8=yes',
        'MAIL FROM:<a@x.example> SIZE',
        'MAIL FROM:<a@x.example> BODY=8BITMIME SIZE=1000 SMTPUTF8',
      ),
    ).toEqual([501, 501, 501, 501, 501, 250]);
  });

  test.each(['RET=FULL', 'ENVID=x', 'AUTH=<>', 'REQUIRETLS', 'FOO=bar', 'FOO', 'SIZE=1 FOO=1 FOO=2'])(
    'a parameter of MAIL that was not offered is refused: %s',
    async (parameter) => {
      const { lines } = await client.command(`MAIL FROM:<a@x.example> ${parameter}`);
      expect(lines[0]).toMatch(/^555 5\.5\.4 Parameter not recognized or not implemented: [A-Z]+$/);
      expect(await client.codes('MAIL FROM:<a@x.example> size=10 Body=8bitmime')).toEqual([250]);
    },
  );

  test.each(['NOTIFY=NEVER', 'ORCPT=rfc822;a@x.example', 'SMTPUTF8', 'BODY=7BIT', 'FOO=bar'])(
    'a parameter of RCPT that was not offered is refused: %s',
    async (parameter) => {
      await client.codes('MAIL FROM:<a@x.example>');
      expect((await client.command(`RCPT TO:<bob@x.example> ${parameter}`)).lines[0]).toMatch(
        /^555 5\.5\.4 /,
      );
      expect(await client.codes('RCPT TO:<bob@x.example>')).toEqual([250]);
    },
  );

  test('there is no AUTH, no relay command and no wizard', async () => {
    const { lines } = await client.command('EHLO client.example');
    expect(lines.join('\n')).not.toMatch(/AUTH|XCLIENT|DSN|STARTTLS/);
    expect(
      await client.codes('AUTH PLAIN AGEAYg==', 'EXPN list', 'WIZ pass', 'SHELL', 'STARTTLS', 'VRFY bob'),
    ).toEqual([500, 500, 500, 500, 500, 252]);
  });

  test('ten commands that do not exist close the connection', async () => {
    client.write('NONSENSE\r\n'.repeat(10));
    const codes = [];
    for (let i = 0; i < 10; i += 1) codes.push((await client.reply()).code);
    expect(codes.at(-1)).toBe(421);
    await client.closed();
  });

  test('an HTTP request is sent away', async () => {
    client.write('POST / HTTP/1.1\r\nHost: mx.example\r\n\r\nMAIL FROM:<a@x.example>\r\n');
    expect((await client.reply()).code).toBe(421);
    await client.closed();
  });

  test('commands before the greeting are sent away', async () => {
    const fresh = await startInboundSmtp({ limits: { greetingPauseMs: 60_000 } });
    const early = await RawSmtpClient.connect(fresh.port);
    early.write('EHLO hasty.example\r\nMAIL FROM:<a@x.example>\r\n');
    expect((await early.reply()).lines[0]).toMatch(/^421 4\.7\.0 /);
    await early.closed();
    expect(fresh.refusals).toMatchObject([{ code: 421, reason: 'protocol', envelopeFrom: null }]);
    await fresh.close();
  });

  test('of 1,000 recipients 100 are taken, and the others are asked to wait for another message', async () => {
    await client.command('MAIL FROM:<a@x.example>');
    client.write(Array.from({ length: 1_000 }, (_, i) => `RCPT TO:<r${i}@inbox.example>\r\n`).join(''));
    const lines = [];
    for (let i = 0; i < 1_000; i += 1) lines.push((await client.reply()).lines[0]);
    expect(lines.slice(0, 100).every((line) => line?.startsWith('250 2.1.5'))).toBe(true);
    expect(lines.slice(100).every((line) => line?.startsWith('452 4.5.3'))).toBe(true);
    await client.command('DATA');
    client.write('to many\r\n.\r\n');
    expect((await client.reply()).code).toBe(250);
    expect(smtp.taken[0]?.envelope.recipients).toHaveLength(100);
  });

  test('a client that closes its side in the middle of a message leaves nothing behind', async () => {
    await client.codes(...envelope, 'DATA');
    client.write('Subject: half\r\n\r\nand the');
    client.halfClose();
    await client.closed();
    expect(smtp.taken).toHaveLength(0);
  });

  test('a client that vanishes in the middle of a message leaves nothing behind', async () => {
    await client.codes(...envelope, 'DATA');
    client.write('x'.repeat(100_000));
    client.destroy();
    await expect.poll(() => smtp.server.connectionCount()).toBe(0);
    expect(smtp.taken).toHaveLength(0);
  });

  test('a client that closes its side after QUIT is gone', async () => {
    expect((await client.command('QUIT')).lines[0]).toMatch(/^221 2\.0\.0/);
    await client.closed();
    await expect.poll(() => smtp.server.connectionCount()).toBe(0);
  });
});
