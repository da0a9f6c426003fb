import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import manifest from '../../../package.json' with { type: 'json' };
import { StartError } from '../../lib/start/start-error.ts';
import { inTransaction } from '../connections.ts';
import type { Database } from '../database.ts';
import type { Db } from '../tables.ts';

/** The version of this program as one number. A process of an older version refuses to start instead of restoring its own functions. */
export const functionsVersion: number = versionNumber(manifest.version);

/** Returns a version, such as 1.2.3 or 1.2.3-rc.1, as a number that is greater for a later one. Pre-releases come before the release. */
export function versionNumber(version: string): number {
  const [release = '', preRelease] = (version.split('+', 1)[0] ?? '').split('-', 2);
  const number = release.split('.').reduce((sum, part) => sum * 1_000 + Number(part), 0);
  const last = preRelease === undefined ? 99 : Math.min(98, Number(/\d+$/.exec(preRelease)?.[0] ?? 0));
  return number * 100 + last;
}

/** The files of the functions and triggers, each after those that it names. */
export const functionNames: string[] = [
  'locks/lock-key',
  'counts/mail-bytes',
  'counts/mail-bytes-of',
  'counts/usage-of',
  'counts/backlog',
  'answers/nth-answer',
  'answers/strip-plus-tag',
  'answers/nth-answer-to',
  'answers/answers-at-limit',
  'messages/subject-term',
  'locks/lock-sending',
  'locks/lock-waiting',
  'sending/sending-version',
  'sending/pause-of',
  'sending/pause-of-message',
  'sending/mails-since',
  'sending/thread-by-names',
  'sending/subject-of-thread',
  'sending/is-proven-for',
  'sending/sending-counts',
  'sending/find-senders',
  'counts/add-up-counts',
  'messages/merge-threads',
  'messages/name-message',
  'messages/settle-message',
  'messages/store-messages',
  'sending/require-decided',
  'sending/store-sends',
  'delivery/record-delivery',
  'delivery/mark-handed-over',
  'delivery/claim-recipients',
  'labels/lock-thread-of',
  'labels/label-thread',
  'labels/unlabel-thread',
  'labels/move-labelled-thread',
  'labels/thread-label-triggers',
  'events/order-events',
  'webhooks/webhook-room',
  'webhooks/workspace-room',
  'webhooks/claimed-delivery',
  'webhooks/fan-out-events',
  'webhooks/claim-deliveries',
  'webhooks/record-attempts',
  'search/index-messages',
];

/** A built server has the files in a folder next to it. */
const folder = ['./functions/', './']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(new URL(`${functionNames[0]}.sql`, url)));

/** The latest text of every function and trigger. */
export const functions: string[] = functionNames.map((name) =>
  readFileSync(new URL(`${name}.sql`, folder), 'utf8'),
);

/** Distinguishes the functions of this version from others. */
const functionsHash = createHash('sha256').update(functions.join('\n')).digest('hex');

/**
 * Gives the database the functions of this version, all in one transaction, and returns whether it had others. During an upgrade, processes
 * of the previous version call them, too. So a changed function keeps its signature, or the old one stays for a release.
 *
 * @throws StartError if a newer version has given it newer ones.
 */
export async function applyFunctions({ pool, db }: Pick<Database, 'pool' | 'db'>): Promise<boolean> {
  const { rows } = await pool.query('select version, hash from applied_functions');
  const [applied] = rows as { version: number; hash: string }[];
  const isSame = applied?.hash === functionsHash;
  if (isSame && applied.version >= functionsVersion) return false;
  if (applied && applied.version > functionsVersion)
    throw new StartError(
      `The database was brought up to date by a newer version of this program (functions ${applied.version}), which this one does not know. Start that version or a later one, or restore a copy of the database from before it.`,
    );
  await inTransaction({ db }, replaceFunctions);
  return !isSame;
}

/** Replaces all functions within the transaction of `db`. */
async function replaceFunctions({ db }: { db: Db }): Promise<void> {
  for (const statement of functions) await sql.raw(statement).execute(db);
  await sql`insert into applied_functions (one, version, hash) values (true, ${functionsVersion}, ${functionsHash})
    on conflict (one) do update set version = excluded.version, hash = excluded.hash`.execute(db);
}
