import { limits } from '@postrider/contract';
import type { Config } from '../config/config.ts';
import type { Deps } from '../deps.ts';
import type { MailPlace } from '../inbound/arrival.ts';
import { Intake } from '../inbound/intake.ts';
import { createMailCallbacks } from '../inbound/mail-callbacks.ts';
import { createSesIntake, type TakeSesMail } from '../inbound/take-ses-mail.ts';
import { portProblem, settingNames } from '../lib/start/start-error.ts';
import { createSesBucket } from '../mail/aws/ses-received.ts';
import type { SmtpCallbacks } from '../mail/smtp/smtp-callbacks.ts';
import { createSmtpServer, type SmtpServer } from '../mail/smtp/smtp-server.ts';
import type { ServedCertificates } from '../tls/served-certificates.ts';
import type { Role } from './parts.ts';

/** Mail that was acknowledged just before the end can mostly be filed in this time. */
const intakeGraceMsMin = 500;

/** Takes mail in, whichever way it arrives. */
export interface MailIntake {
  callbacks: SmtpCallbacks<MailPlace>;
  /** Has a server end with the intake, and before it. */
  closeFirst(server: Pick<SmtpServer, 'close'>): void;
  /** Stops the servers, waits for open requests, and files as much as possible within `graceMs`. */
  close(graceMs: number, requests: Promise<unknown>): Promise<void>;
}

/**
 * Opens the intake if a role of this process needs it. Workers also process acknowledged mail, because the process that acknowledged it may
 * have ended, and the API receives mail from Amazon SES.
 */
export function openMailIntake(deps: Deps, roles: Role[]): MailIntake | null {
  const takesFromSes = roles.includes('api') && listensToSes(deps.config);
  if (!roles.includes('smtp') && !roles.includes('worker') && !takesFromSes) return null;
  const intake = new Intake(deps);
  const servers: Pick<SmtpServer, 'close'>[] = [];
  return {
    callbacks: createMailCallbacks(deps, intake),
    closeFirst: (server) => servers.push(server),
    close: async (graceMs, requests) => {
      const until = performance.now() + graceMs;
      await Promise.all([requests, ...servers.map((server) => server.close(graceMs))]);
      await intake.close(Math.max(intakeGraceMsMin, until - performance.now()));
    },
  };
}

/** Returns what takes mail from Amazon SES; null if no topic is configured. */
export function openSesIntake(deps: Deps, intake: MailIntake | null): TakeSesMail | null {
  const { ses, s3Endpoint } = deps.config;
  if (!intake || !ses || !listensToSes(deps.config)) return null;
  const { region, endpoint, inboundBucket: name } = ses;
  const place = { region, endpoint: endpoint === null ? null : s3Endpoint };
  const bucket =
    name === null
      ? null
      : { name, fetch: createSesBucket({ ...place, bucket: name, bytesMax: limits.inboundBytesMax }) };
  return createSesIntake(deps, { region, bucket, callbacks: intake.callbacks });
}

function listensToSes({ ses }: Config): boolean {
  return ses !== null && ses.topicArns.length > 0;
}

/** Starts the SMTP server and returns its port; null if it is turned off. */
export async function startSmtp(
  deps: Deps,
  intake: MailIntake,
  certificates: ServedCertificates | null,
): Promise<number | null> {
  const { host, port, hostname } = deps.config.smtp;
  if (port === null) return null;
  const smtp: SmtpServer = createSmtpServer(
    {
      host,
      port,
      hostname,
      tls: certificates,
      messageBytesMax: limits.inboundBytesMax,
      tracing: deps.tracing,
    },
    intake.callbacks,
    deps.log,
  );
  const bound = await smtp.listen().catch(failSmtp(deps.config));
  intake.closeFirst(smtp);
  deps.address.smtpPort = bound.port;
  return bound.port;
}

/** Returns a function that explains why the port of SMTP cannot be listened on. */
export function failSmtp({ smtp: { host, port } }: Config) {
  return (error: unknown): never => {
    const variables = { hostVariable: settingNames.smtpHost, portVariable: settingNames.smtpPort };
    throw portProblem({ host, port: port ?? 0, ...variables }, error);
  };
}
