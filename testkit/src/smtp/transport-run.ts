import { setImmediate as nextTurn } from 'node:timers/promises';
import { vi } from 'vitest';
import { parseRelay } from '../../../server/src/mail/transports/relay.ts';
import {
  createSmtpTransport,
  type SmtpTransportSettings,
} from '../../../server/src/mail/transports/smtp-transport.ts';
import type { Transport, TransportJob } from '../../../server/src/mail/transports/transport.ts';
import { eventually } from '../lib/eventually.ts';
import { MailSink } from './mail-sink.ts';
import type { MailSinkOptions, SinkMessage } from './sink-script.ts';

/** Time limits that a peer which answers never reaches, however slow the machine is. */
export const patientTiming = {
  connectTimeoutMs: 300_000,
  greetingTimeoutMs: 300_000,
  commandTimeoutMs: 300_000,
  dataBlockTimeoutMs: 300_000,
  transferTimeoutMs: 300_000,
  afterDotTimeoutMs: 300_000,
  closeGraceMs: 300_000,
};

/** Longer than all limits together. */
export const endlessMs = 24 * 3_600_000;
const turnsOfSilence = 100;

/**
 * Makes each silence of the sinks seem to last for `silenceMs`: the timers of the other side go ahead by it as soon as a sink is silent. So
 * no test waits for a limit, and a machine that is slow reaches none. Returns a function that ends that.
 */
export function passSilence(sinks: MailSink[], silenceMs: number): () => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const pass = async () => {
    // The other side first does what it can do without an answer, such as sending the rest of a message.
    for (let turn = 0; turn < turnsOfSilence; turn += 1) await nextTurn();
    if (vi.isFakeTimers()) vi.advanceTimersByTime(silenceMs);
  };
  for (const sink of sinks) sink.onSilence = pass;
  return () => void vi.useRealTimers();
}

/** A sink and a transport that sends to it. */
export interface TransportRun {
  sink: MailSink;
  transport: Transport;
}

/**
 * Runs a test with a sink and a transport to it, closes both, and fails if a connection is left open. With `silenceMs`, each silence of the
 * sink seems to last that long.
 */
export async function withTransport(
  options: {
    sink?: MailSinkOptions;
    settings?: Partial<SmtpTransportSettings>;
    query?: string;
    silenceMs?: number;
  },
  test: (run: TransportRun) => Promise<void>,
): Promise<void> {
  const sink = await MailSink.start(options.sink);
  const relay = parseRelay(`smtp://127.0.0.1:${sink.port}${options.query ?? ''}`);
  const transport = createSmtpTransport({
    relay,
    hostname: 'client.test',
    ...patientTiming,
    ...options.settings,
  });
  const { silenceMs } = options;
  const endSilence = silenceMs === undefined ? () => undefined : passSilence([sink], silenceMs);
  try {
    await test({ sink, transport });
    await transport.close();
    await waitUntil(() => sink.openConnections === 0, 'the transport to leave no connection');
  } finally {
    endSilence();
    sink.cut();
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

/** Waits until a condition holds. */
export async function waitUntil(holds: () => boolean, what: string): Promise<void> {
  await eventually(what, async () => holds(), { pauseMs: 5 });
}
