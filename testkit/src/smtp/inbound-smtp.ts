import { buffer } from 'node:stream/consumers';
import type {
  RcptVerdict,
  SmtpCallbacks,
  SmtpEnvelope,
  SmtpRefusal,
  SmtpSession,
} from '../../../server/src/mail/smtp/smtp-callbacks.ts';
import type { SmtpLimits } from '../../../server/src/mail/smtp/smtp-limits.ts';
import {
  createSmtpServer,
  type SmtpServer,
  type SmtpSettings,
} from '../../../server/src/mail/smtp/smtp-server.ts';

/** A message that the server accepted. */
export interface TakenMessage {
  session: SmtpSession;
  envelope: SmtpEnvelope<string>;
  raw: Buffer;
}

/** A running SMTP server that keeps accepted messages in memory. */
export interface InboundSmtp {
  server: SmtpServer;
  port: number;
  taken: TakenMessage[];
  asked: { from: string; recipient: string }[];
  refusals: SmtpRefusal[];
  close(): Promise<void>;
}

const silentLog = { debug: () => undefined, info: () => undefined, warn: () => undefined };

/** Starts a server that accepts every recipient but `nobody@…`. Its decisions can be replaced. */
export async function startInboundSmtp(
  options: {
    limits?: Partial<SmtpLimits>;
    settings?: Partial<SmtpSettings>;
    callbacks?: Partial<SmtpCallbacks<string>>;
  } = {},
): Promise<InboundSmtp> {
  const taken: TakenMessage[] = [];
  const asked: InboundSmtp['asked'] = [];
  const refusals: SmtpRefusal[] = [];
  const callbacks: SmtpCallbacks<string> = {
    async onRcpt(_session, from, recipient): Promise<RcptVerdict<string>> {
      asked.push({ from, recipient });
      if (recipient.startsWith('nobody@'))
        return { accept: false, code: 550, enhanced: '5.1.1', text: 'No such mailbox' };
      return { accept: true, tag: `inbox of ${recipient}` };
    },
    async onData(session, envelope, stream) {
      const raw = await buffer(stream);
      taken.push({ session, envelope, raw });
      return { code: 250, enhanced: '2.0.0', text: `Stored as number ${taken.length}` };
    },
    onRefused: (refusal) => refusals.push(refusal),
    ...options.callbacks,
  };
  const server = createSmtpServer(
    {
      host: '127.0.0.1',
      port: 0,
      hostname: 'mx.postrider.test',
      tls: null,
      messageBytesMax: 1_000_000,
      ...options.settings,
      limits: options.limits ?? {},
    },
    callbacks,
    silentLog,
  );
  const { port } = await server.listen();
  return { server, port, taken, asked, refusals, close: () => server.close(0) };
}
