/*
 * Receives mail over SMTP (RFC 5321) with STARTTLS, PIPELINING, 8BITMIME, SMTPUTF8, SIZE and ENHANCEDSTATUSCODES. It never relays: it asks
 * the owner about every recipient. There is no AUTH. A message ends only at <CR><LF>.<CR><LF>, so lines that end in a bare LF or CR are
 * accepted unchanged and cannot smuggle anything in.
 */
import { shareOfOpenFiles } from '../../lib/start/listen.ts';
import { type Tracing, untraced } from '../../lib/tracing.ts';
import type { ServedCertificates } from '../../tls/served-certificates.ts';
import type { SmtpCallbacks, SmtpLog } from './smtp-callbacks.ts';
import { createReportGate } from './smtp-clients.ts';
import { type SmtpLimits, smtpLimitDefaults } from './smtp-limits.ts';
import { InboundServer } from './smtp-listener.ts';

/** The address on which an SMTP server listens, and what it allows. */
export interface SmtpSettings {
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** The name in the greeting. */
  hostname: string;
  /** The certificates of STARTTLS, which is not offered without any. */
  tls: ServedCertificates | null;
  messageBytesMax: number;
  limits?: Partial<SmtpLimits>;
  /** Creates a span for each session. By default there are none. */
  tracing?: Tracing;
}

/** A server that takes mail in. */
export interface SmtpServer {
  /** Starts to listen; rejects when the address cannot be had. */
  listen(): Promise<{ port: number }>;
  /** The number of connected clients. */
  connectionCount(): number;
  /**
   * Refuses new connections, sends 421 to clients that are not sending a message, and lets the others finish and get their reply. Sessions
   * that are not done after `graceMs` are cut; their senders received no 250 and will try again.
   */
  close(graceMs: number): Promise<void>;
}

const reportsPerClientPerMinuteMax = 20;

/** An SMTP server that asks the callbacks about every recipient and every message; nothing listens before `listen()`. */
export function createSmtpServer<Tag>(
  settings: SmtpSettings,
  callbacks: SmtpCallbacks<Tag>,
  log: SmtpLog,
): SmtpServer {
  const asked: SmtpLimits = { ...smtpLimitDefaults, ...settings.limits };
  const limits = { ...asked, connectionsMax: Math.min(asked.connectionsMax, shareOfOpenFiles(1 / 4)) };
  const mayReport = createReportGate(reportsPerClientPerMinuteMax, () => performance.now());
  const server = new InboundServer<Tag>({
    hostname: settings.hostname,
    tls: settings.tls,
    messageBytesMax: settings.messageBytesMax,
    limits,
    callbacks,
    log,
    tracing: settings.tracing ?? untraced,
    report(refusal) {
      const { session, reason, code, enhanced, text } = refusal;
      log.debug(
        { session, reason, reply: `${code} ${enhanced} ${text}` },
        'The SMTP server refused a command.',
      );
      // A refused message is always reported, because somebody will look for it.
      const isMessage = reason === 'size' || reason === 'loop';
      if (isMessage || mayReport(`${session.remoteAddress} ${reason}`)) callbacks.onRefused?.(refusal);
    },
  });
  return {
    listen: () => server.start(settings),
    connectionCount: () => server.connections.size,
    close: (graceMs) => server.stop(graceMs),
  };
}
