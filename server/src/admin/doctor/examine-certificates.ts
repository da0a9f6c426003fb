import type { Config } from '../../config/config.ts';
import type { Database } from '../../db/database.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import { isThisMachine } from '../../egress/check-target.ts';
import { settingNames } from '../../lib/start/start-error.ts';
import { type Finding, note, ok, problem } from './finding.ts';

const part = 'acme';
/** Longer than an order takes whose process died, and its repetition. */
const overdueMs = 3_600_000;

/** Examines the certificates that come by ACME: how long each is valid, and what keeps it from being renewed. */
export async function examineCertificates(
  { db }: Pick<Database, 'db'>,
  { tls: { acme, isHttpsOnly }, http: { host } }: Pick<Config, 'tls' | 'http'>,
  now = new Date(),
): Promise<Finding[]> {
  if (!acme) return [];
  const rows = await acrossWorkspaces({ db }, 'certificates are of the whole server')
    .selectFrom('tls_certificates')
    .select(['hostname', 'valid_to', 'failure', 'failed_at', 'due_at'])
    .where('hostname', 'in', acme.hostnames)
    .execute();
  const closed = note(
    part,
    `HTTP listens on ${host}, where no ACME server can reach it unless ports are forwarded to it.`,
    `Set ${settingNames.httpHost} to 0.0.0.0.`,
  );
  const found = acme.hostnames.map((hostname): Finding => {
    const row = rows.find((one) => one.hostname === hostname);
    if (!row)
      return note(part, `${hostname} has no certificate yet; a process with the role worker will order one.`);
    const { valid_to, failure, failed_at, due_at } = row;
    const held = valid_to
      ? `the certificate of ${hostname} ${valid_to > now ? 'is valid until' : 'expired at'} ${valid_to.toISOString()}`
      : `${hostname} has no certificate yet`;
    if (failure !== null)
      return problem(
        part,
        `${held}; the last order failed at ${failed_at?.toISOString()}: ${failure}`,
        `The next one is at ${due_at.toISOString()}. docs/self-hosting/tls.md lists what an ACME server needs.`,
      );
    const isOverdue = now.getTime() - due_at.getTime() > overdueMs;
    if (valid_to && valid_to > now && !isOverdue) return ok(part, held);
    const missed = isOverdue
      ? `; no process has checked since ${due_at.toISOString()} whether it must be renewed`
      : '';
    return problem(
      part,
      `${held}${missed}.`,
      'Run a process with the role worker, which orders certificates.',
    );
  });
  return isHttpsOnly && isThisMachine(host) ? [closed, ...found] : found;
}
