/*
 * Sends mail to an SMTP server from many sessions at once and prints the outcome as a line of JSON. It runs as its own process and composes
 * nothing while it measures. Each mail is a copy of prepared bytes with its own id, because identical bytes from one sender would be taken
 * for a redelivery.
 */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { seededRandom } from '@postrider/testkit/lib/seeded-random.ts';
import { idLength, type MailTemplate, makeLargeMail, makeSmallMail } from './made-mail.ts';

/** A reply of the server: its code, and the text of its last line. */
interface Reply {
  code: number;
  text: string;
}

/** One SMTP connection that sends a command and waits for its reply, as cheaply as possible. */
interface SmtpSession {
  socket: Socket;
  reply(): Promise<Reply>;
  command(line: string): Promise<Reply>;
}

/** The mails to send, until `seconds` are over or `mails` were sent. */
export interface SmtpLoad {
  port: number;
  to: string;
  sessions: number;
  seconds?: number;
  mails?: number;
  /** The number of mails that may begin in a second; unlimited unless given. */
  perSecondMax?: number;
  /** Whether a sender uses one session for all its mails, instead of a connection for each. */
  reuse: boolean;
  size: 'small' | 'large';
  seed: number;
}

/** The outcome of a load. */
export interface SmtpLoadResult {
  acknowledged: number;
  /**
   * From the first connection to the last 250. If sessions are reused, it is from the first mail, because each waits for its greeting only
   * once.
   */
  seconds: number;
  perSecond: number;
  bytesEach: number;
  p50Ms: number;
  p99Ms: number;
  /** How often each other reply or error came. */
  refused: Record<string, number>;
}

const variants = 64;
const retryPauseMs = 50;

async function runLoad(load: SmtpLoad): Promise<SmtpLoadResult> {
  const random = seededRandom(load.seed);
  const make = load.size === 'small' ? makeSmallMail : makeLargeMail;
  const templates = Array.from({ length: load.size === 'small' ? variants : 1 }, () => make(load.to, random));
  const run = randomBytes(6).toString('hex');
  const latencies: number[] = [];
  const refused: Record<string, number> = {};
  const lastsMs = (load.seconds ?? Number.POSITIVE_INFINITY) * 1_000;
  const mailsMax = load.mails ?? Number.POSITIVE_INFINITY;
  let from = performance.now();
  let begun = 0;
  let last = from;
  const mayGoOn = () => performance.now() < from + lastsMs && begun < mailsMax;
  const pace = async () => {
    const dueMs =
      from + (begun * 1_000) / (load.perSecondMax ?? Number.POSITIVE_INFINITY) - performance.now();
    if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
  };
  const sendNext = async (session: SmtpSession, since = performance.now()) => {
    const number = begun++;
    if (number === 0 && load.reuse) from = performance.now();
    await sendMail(session, load.to, templates[number % templates.length]!, run, number);
    last = performance.now();
    latencies.push(last - since);
  };
  const sender = async () => {
    while (mayGoOn()) {
      const session = openSession(load.port);
      const since = performance.now();
      try {
        await greet(session);
        await sendNext(session, load.reuse ? performance.now() : since);
        while (load.reuse && mayGoOn()) {
          await pace();
          await sendNext(session);
        }
        await session.command('QUIT');
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        refused[text] = (refused[text] ?? 0) + 1;
        await new Promise((resolve) => setTimeout(resolve, retryPauseMs));
      } finally {
        session.socket.destroy();
      }
    }
  };
  await Promise.all(Array.from({ length: load.sessions }, sender));
  const seconds = (last - from) / 1_000;
  const { head, tail } = templates[0]!;
  latencies.sort((a, b) => a - b);
  return {
    acknowledged: latencies.length,
    seconds,
    perSecond: latencies.length / seconds,
    bytesEach: head.length + tail.length - 3,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? Number.NaN,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    refused,
  };
}

async function greet(session: SmtpSession): Promise<void> {
  expectCode(await session.reply(), 220);
  expectCode(await session.command('EHLO sender.example'), 250);
}

async function sendMail(
  session: SmtpSession,
  to: string,
  template: MailTemplate,
  run: string,
  number: number,
): Promise<void> {
  expectCode(await session.command('MAIL FROM:<a@sender.example>'), 250);
  expectCode(await session.command(`RCPT TO:<${to}>`), 250);
  expectCode(await session.command('DATA'), 354);
  const head = Buffer.from(template.head);
  const id = `${run}.${number}`.padEnd(idLength, 'x');
  for (const offset of template.idOffsets) head.write(id, offset, 'latin1');
  session.socket.cork();
  session.socket.write(head);
  session.socket.write(template.tail);
  session.socket.uncork();
  expectCode(await session.reply(), 250);
}

function expectCode({ code, text }: { code: number; text: string }, wanted: number): void {
  if (code !== wanted) throw new Error(text);
}

console.log(JSON.stringify(await runLoad(JSON.parse(process.argv[2] ?? '{}') as SmtpLoad)));

/** Connects. The greeting is the first reply. */
function openSession(port: number): SmtpSession {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  const ready: Reply[] = [];
  let waiting: PromiseWithResolvers<Reply> | null = null;
  let failure: Error | null = null;
  let text = '';
  const fail = (error: Error) => {
    failure ??= error;
    waiting?.reject(failure);
    waiting = null;
  };
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const line = text.slice(0, end).trimEnd();
      text = text.slice(end + 1);
      if (line.charAt(3) === '-') continue;
      const reply = { code: Number(line.slice(0, 3)), text: line };
      if (waiting) waiting.resolve(reply);
      else ready.push(reply);
      waiting = null;
    }
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('The server closed the connection.')));
  const reply = (): Promise<Reply> => {
    const first = ready.shift();
    if (first) return Promise.resolve(first);
    if (failure) return Promise.reject(failure);
    waiting = Promise.withResolvers<Reply>();
    return waiting.promise;
  };
  return {
    socket,
    reply,
    command: (line) => {
      socket.write(`${line}\r\n`);
      return reply();
    },
  };
}
