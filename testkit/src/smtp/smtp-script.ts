import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';

/** One thing that a client does. */
export interface SmtpStep {
  /** Written as it is. Text is sent as UTF-8. */
  bytes: string | Buffer;
  /** The pause in ms before the next step; 0 pipelines. */
  pauseMs: number;
}

/** The steps of a client, and how it leaves. */
export interface SmtpScript {
  /** Whether it waits for the greeting before it talks. */
  isPolite: boolean;
  steps: SmtpStep[];
  end: 'quit' | 'half-close' | 'vanish';
}

function addresses(known: string): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(`<${known}>`) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        '<>',
        '<a@sender.example>',
        '<"a b"@sender.example>',
        '<für@münchen.example>',
        `<${'a'.repeat(2_000)}@x.example>`,
        '<@relay.example:a@b.example>',
        '<a\0@x.example>',
        '<a@[127.0.0.1]>',
        'a@b.example',
        '<a@b.example> SIZE=99999999999999999999',
        '<a@b.example> BODY=8BITMIME SMTPUTF8 RET=FULL',
        '<a@b.example> =',
        '<postmaster>',
      ),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  );
}

function lines(known: string): fc.Arbitrary<string> {
  return fc.oneof(
    addresses(known).map((address) => `MAIL FROM:${address}`),
    { weight: 2, arbitrary: addresses(known).map((address) => `RCPT TO:${address}`) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        'EHLO client.example',
        'HELO [127.0.0.1]',
        'DATA',
        'RSET',
        'NOOP',
        'QUIT',
        'VRFY a',
        'EXPN list',
        'HELP',
        'STARTTLS',
        'AUTH PLAIN AGEAYg==',
        'BDAT 5 LAST',
        'TURN',
        'XCLIENT ADDR=127.0.0.1',
        'PROXY TCP4 1.2.3.4 5.6.7.8 1 2',
        'GET / HTTP/1.1',
        '.',
        '',
        'A'.repeat(3_000),
      ),
    },
    fc.string({ unit: 'binary', maxLength: 40 }),
  );
}

/** Whole mails, which a script may send even if the server expects something else. */
const mails = fc.constantFrom(
  'Subject: x\r\n\r\nbody\r\n.\r\n',
  'Subject: x\r\n\r\n..\r\n.x\r\n.\r\n',
  'x\n.\nMAIL FROM:<evil@x.example>\r\n.\r\n',
  'x\r.\r\r\n.\r\n',
  '.\r\n',
  `${'y'.repeat(20_000)}\r\n.\r\n`,
  'no end\r\n',
);

const endings = fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r', '');

/** Returns what a client that knows an address could do: right commands, wrong ones, and bytes that are not commands. */
export function smtpScripts(known: string): fc.Arbitrary<SmtpScript> {
  const transaction = mails.map(
    (mail) => `EHLO a\r\nMAIL FROM:<a@sender.example>\r\nRCPT TO:<${known}>\r\nDATA\r\n${mail}`,
  );
  const bytes = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(lines(known), endings).map((parts) => parts.join('')) },
    { weight: 2, arbitrary: mails },
    { weight: 4, arbitrary: transaction },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((some) => Buffer.from(some)) },
  );
  return fc.record({
    isPolite: fc.constantFrom(true, true, true, true, false),
    steps: fc.array(fc.record({ bytes, pauseMs: fc.constantFrom(0, 0, 0, 1, 20) }), { maxLength: 14 }),
    end: fc.constantFrom<SmtpScript['end'][]>('quit', 'quit', 'quit', 'half-close', 'vanish'),
  });
}

/** Plays a script to its end. Returns everything that the server sent. Throws if the server did not close the connection in time. */
export async function playScript(port: number, script: SmtpScript, waitMs = 300_000): Promise<string> {
  const { isPolite, steps, end } = script;
  const socket = connect(port, '127.0.0.1');
  const said: Buffer[] = [];
  socket.on('data', (chunk) => said.push(chunk));
  // A server may close the connection while the client still sends.
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  await Promise.race([once(socket, isPolite ? 'data' : 'connect'), closed]);
  for (const { bytes, pauseMs } of steps) {
    if (socket.destroyed) break;
    socket.write(bytes);
    if (pauseMs > 0) await pause(pauseMs);
  }
  if (end === 'vanish') socket.destroy();
  else await untilClosed(socket, end, waitMs);
  return Buffer.concat(said).toString('utf8');
}

/**
 * Ends a message and then the session, wherever the script left the server. It sends this more than once. What follows STARTTLS before the
 * handshake is dropped, and what comes later is not TLS, which also ends the connection.
 */
async function untilClosed(socket: Socket, end: 'quit' | 'half-close', waitMs: number): Promise<void> {
  const closed = once(socket, 'close');
  const until = performance.now() + waitMs;
  if (end === 'half-close') socket.end();
  while (!socket.destroyed && performance.now() < until) {
    if (end === 'quit' && socket.writable) socket.write('\r\n.\r\nQUIT\r\n');
    await Promise.race([closed, pause(300)]);
  }
  if (socket.destroyed) return;
  socket.destroy();
  throw new Error(`The connection was not closed ${waitMs} ms after the script.`);
}
