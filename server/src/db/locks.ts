import { sql } from 'kysely';
import type { Db } from './tables.ts';

/**
 * The named locks, in the order in which a transaction takes them. A transaction that holds a lock must not take one listed above it, and
 * takes several of one name in the order of their keys. Otherwise two transactions could wait for each other. A batch of mail takes
 * `strays` and `threads` for each mail, so two batches can deadlock; Postgres ends one of them, which is repeated one mail at a time.
 *
 * Each lock ends with its transaction. Locks that database functions also take are marked.
 */
export const lockNames = [
  /** The first start: processes that start at once take turns. */
  'bootstrap',
  'first owner',
  /** The settings of what may be sent: shared by sends, and alone by a change. Of a workspace, or of the server ('') (SQL). */
  'sending',
  /** The end of pauses: shared by what begins to wait for it, and alone by what ends one (SQL). */
  'waiting',
  /** Creations of domains of a workspace. */
  'domains',
  /** Claims and deletions of one organisation's names, over all workspaces. */
  'hostname',
  /** A domain: shared by what creates inboxes at it, and alone by what deletes or takes it. */
  'domain',
  /** A cap of a policy that is nearly reached (SQL). */
  'cap',
  /** An inbox: shared by what adds to it, and alone by its deletion (SQL). */
  'inbox',
  /** Mails of one inbox with the same Message-ID (SQL). */
  'message id',
  /** Mail of an inbox that names messages which have not come yet, and the threads of an inbox (SQL). */
  'strays',
  'threads',
  /** Changes of a message and its labels. */
  'message',
  /** Creations of labels, and creations and deletions of inboxes, of a workspace. */
  'labels',
  'inboxes',
  /** Additions to the drafts of a workspace. */
  'drafts',
  /** Creations of rules and of webhooks of a workspace. */
  'rules',
  'webhooks',
  /** Mail to people of a workspace about held messages. */
  'announce',
  /** The order of events (SQL). */
  'event order',
] as const;

/** A lock by its name. */
export type LockName = (typeof lockNames)[number];

/** Takes a lock until the transaction ends. `id` is the id of the locked object; without it, there is one lock of this name. */
export async function lock(tx: { db: Db }, name: LockName, id = ''): Promise<void> {
  await sql`select pg_advisory_xact_lock(lock_key(${name}, ${id}))`.execute(tx.db);
}

/** Takes the shared side of a lock until the transaction ends. */
export async function lockShared(tx: { db: Db }, name: LockName, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(lock_key(${name}, ${id}))`.execute(tx.db);
}

/** Statements that take and release the lock of migrations, which lasts longer than a transaction and exists before any function. */
export const lockMigration = 'select pg_advisory_lock(44002525)';
export const unlockMigration = 'select pg_advisory_unlock(44002525)';
