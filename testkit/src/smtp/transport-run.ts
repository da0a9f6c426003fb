import { setTimeout as sleep } from 'node:timers/promises';
import { parseRelay } from '../../../server/src/mail/transports/relay.ts';
import {
  createSmtpTransport,
  type SmtpTransportSettings,
} from '../../../server/src/mail/transports/smtp-transport.ts';
import type { Transport, TransportJob } from '../../../server/src/mail/transports/transport.ts';
import { MailSink } from './mail-sink.ts';
import type { MailSinkOptions, SinkMessage } from './sink-script.ts';

/** Timeouts that tests can wait for. */
export const quickTiming = {
  connectTimeoutMs: 800,
  greetingTimeoutMs: 800,
  commandTimeoutMs: 800,
  dataBlockTimeoutMs: 800,
  afterDotTimeoutMs: 800,
  closeGraceMs: 500,
};

/** A sink and a transport that sends to it. */
export interface TransportRun {
  sink: MailSink;
  transport: Transport;
}

/** Runs a test with a sink and a transport to it, closes both, and fails if a connection is left open. */
export async function withTransport(
  options: { sink?: MailSinkOptions; settings?: Partial<SmtpTransportSettings>; query?: string },
  test: (run: TransportRun) => Promise<void>,
): Promise<void> {
  const sink = await MailSink.start(options.sink);
  const relay = parseRelay(`smtp://127.0.0.1:${sink.port}${options.query ?? ''}`);
  const transport = createSmtpTransport({
    relay,
    hostname: 'client.test',
    ...quickTiming,
    ...options.settings,
  });
  try {
    await test({ sink, transport });
    await transport.close();
    await waitUntil(() => sink.openConnections === 0, 'the transport to leave no connection');
  } finally {
    await transport.close();
    await sink.close();
  }
}

/** Creates a small message to a recipient. Its Message-ID names the recipient. */
export function makeJob(recipient: string, change: Partial<TransportJob> = {}): TransportJob {
  const lines = [
    'From: agent@sender.test',
    `To: ${recipient}`,
    `Message-ID: <${recipient}>`,
    '',
    'Hello.',
    '.',
    '..',
    '',
  ];
  return {
    raw: Buffer.from(lines.join('\r\n')),
    envelopeFrom: 'agent@sender.test',
    returnPath: 'bounces@sender.test',
    attempt: 1,
    recipient,
    onHandover: async () => {},
    ...change,
  };
}

/** Creates a message of at least `bytes` bytes, in lines of 78. */
export function makeBigMessage(bytes: number): Buffer {
  return Buffer.from(`Subject: big\r\n\r\n${`${'.'.padEnd(76, 'x')}\r\n`.repeat(Math.ceil(bytes / 78))}`);
}

/** Returns the copies that the sink did not refuse, which are those that a recipient has or may have. */
export function copiesThatCount(sink: MailSink, recipient: string): SinkMessage[] {
  return sink.copiesFor(recipient).filter(({ answer }) => answer === null || answer.startsWith('2'));
}

/** Waits until a condition holds, at most five seconds. */
export async function waitUntil(holds: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${what}.`);
    await sleep(5);
  }
}
