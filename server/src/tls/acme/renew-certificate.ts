import { X509Certificate } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { AcmeSettings, TlsSettings } from '../../config/tls.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Tables } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { waitFor } from '../../lib/concurrency/wait.ts';
import { sayError } from '../../lib/start/start-error.ts';
import type { ChallengeType } from './acme.entity.ts';
import { ComeAgainLater } from './acme-library.ts';
import { openPair, sealPair } from './certificate-pair.ts';
import { orderCertificate } from './order-certificate.ts';
import { readRenewalTime } from './renewal-info.ts';

/** A row of `tls_certificates`. */
export type CertificateRow = Selectable<Tables['tls_certificates']>;

const minuteMs = 60_000;
/** An order takes seconds, and a few minutes if the ACME server is busy. */
export const orderMsMax = 5 * minuteMs;
const hourMs = 60 * minuteMs;
/** How often the ACME server is asked whether a certificate has to be renewed early. */
const askAgainMs = 6 * hourMs;
/** An ACME server lets a host fail five times in an hour. */
const retryMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, hourMs, 3 * hourMs];
/** A server that asks for a longer wait is still asked after a day, because the reason may no longer exist. */
export const retryMsMax = 24 * hourMs;

/** Returns when a certificate is renewed automatically: when a third of its lifetime is left. */
function findRenewalTime(validFrom: Date, validTo: Date): Date {
  return new Date(validTo.getTime() - (validTo.getTime() - validFrom.getTime()) / 3);
}

/**
 * Renews a certificate that is due, or orders the first one, and stores when to look at it next. `row` is the row with the fence of this
 * look. A failure keeps the certificate that there is.
 */
export async function renewCertificate(deps: Deps, acme: AcmeSettings, row: CertificateRow): Promise<void> {
  const { hostname } = row;
  try {
    const later = await findLaterTime(deps, acme, row);
    if (later) return void (await store(deps, row, { due_at: later }));
    if (deps.stopping.aborted) return void (await store(deps, row, { due_at: deps.clock.now() }));
    const proven_by = chooseChallenge(deps.config.tls, row);
    const order = orderCertificate(deps, acme, hostname, proven_by);
    const pair = await waitFor(order, orderMsMax, deps.stopping);
    // Another process, or the next start, begins again.
    if (!pair && deps.stopping.aborted) return void (await store(deps, row, { due_at: deps.clock.now() }));
    if (!pair) throw new Error(`The ACME server was not done within ${orderMsMax / minuteMs} minutes.`);
    const { validFromDate: valid_from, validToDate: valid_to } = new X509Certificate(pair.cert);
    const now = deps.clock.now();
    const failure = findClockProblem(now, valid_from, valid_to);
    const sealed_pair = sealPair(deps.keys, hostname, pair);
    const due_at = failure ? new Date(now.getTime() + retryMsMax) : nextLook(now, valid_from, valid_to);
    const issued = { directory: acme.directory, sealed_pair, valid_from, valid_to, proven_by };
    if (
      !(await store(deps, row, { ...issued, due_at, failures: 0, failure, failed_at: failure ? now : null }))
    )
      return;
    deps.wakeups.wake('', 'certificates');
    deps.log.info({ hostname, validTo: valid_to }, 'a certificate was issued');
    if (failure) deps.log.error({ hostname, failure }, 'the new certificate is not valid by this clock');
  } catch (error) {
    await fail(deps, row, error);
  }
}

/** Returns the time at which to check a certificate again that does not need renewal yet; null if it must be renewed now. */
async function findLaterTime(deps: Deps, acme: AcmeSettings, row: CertificateRow): Promise<Date | null> {
  const { valid_from, valid_to, directory } = row;
  const pair = openPair(deps.keys, row);
  const now = deps.clock.now();
  if (!pair || !valid_from || !valid_to || directory !== acme.directory) return null;
  if (row.failure !== null || now >= findRenewalTime(valid_from, valid_to)) return null;
  const wanted = await readRenewalTime(deps.httpsAgent, directory, pair.cert).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'the ACME server did not say whether a certificate has to be renewed');
    return null;
  });
  return wanted && wanted <= now ? null : nextLook(now, valid_from, valid_to);
}

/** Returns the type of challenge that worked the last time, and after a failure the other one: a firewall may keep either port closed. */
function chooseChallenge(
  { isHttpsOnly }: TlsSettings,
  { proven_by, failures }: Pick<CertificateRow, 'proven_by' | 'failures'>,
): ChallengeType {
  if (!isHttpsOnly) return 'http-01';
  const [first, other] = challengesFrom[proven_by ?? 'http-01'];
  return failures % 2 === 0 ? first : other;
}

const challengesFrom = {
  'http-01': ['http-01', 'tls-alpn-01'],
  'tls-alpn-01': ['tls-alpn-01', 'http-01'],
} as const;

function nextLook(now: Date, validFrom: Date, validTo: Date): Date {
  const renewal = findRenewalTime(validFrom, validTo).getTime();
  return new Date(Math.min(renewal, now.getTime() + askAgainMs));
}

/** ACME servers date certificates back, or have clocks that are about right. */
const clockSkewMs = 5 * minuteMs;

/** Without this, a server whose clock is wrong would order one certificate after another. */
function findClockProblem(now: Date, validFrom: Date, validTo: Date): string | null {
  if (now.getTime() + clockSkewMs >= validFrom.getTime() && now < findRenewalTime(validFrom, validTo))
    return null;
  return `A new certificate is valid from ${validFrom.toISOString()} to ${validTo.toISOString()}, and the clock of this machine says ${now.toISOString()}: correct the clock, and start the server again.`;
}

const failureLengthMax = 500;

async function fail(deps: Deps, row: CertificateRow, error: unknown): Promise<void> {
  const { hostname, failures } = row;
  deps.metrics.certificateFailures.inc({ hostname });
  const now = deps.clock.now();
  const usualMs = deps.timeScale.scaleMs(retryMs[Math.min(failures, retryMs.length - 1)] ?? hourMs);
  const askedMs = error instanceof ComeAgainLater ? Math.min(error.waitMs, retryMsMax) : 0;
  const due_at = new Date(now.getTime() + Math.max(usualMs, askedMs));
  // The text comes from the other side, which may send a whole page.
  const failure = sayError(error).replaceAll('\0', '').slice(0, failureLengthMax);
  deps.log.error({ failure, hostname, nextAttempt: due_at }, 'a certificate was not issued');
  await store(deps, row, { due_at, failures: failures + 1, failure, failed_at: now });
}

/** Stores the result of a look, unless another one has begun. Returns whether it did. */
async function store(deps: Deps, row: CertificateRow, change: Partial<CertificateRow>): Promise<boolean> {
  const { numUpdatedRows } = await acrossWorkspaces(deps, 'certificates are of the whole server')
    .updateTable('tls_certificates')
    .set(change)
    .where('hostname', '=', row.hostname)
    .where('fence', '=', row.fence)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
