/*
 * Mail that arrives faster than it can be parsed and filed is made durable first: its bytes and its envelope, many mails in one commit.
 * Then its sender gets 250. It is filed as a message later, even after a crash.
 */

import { type Selectable, sql } from 'kysely';
import { createBatcher } from '../../db/batched.ts';
import { isRolledBack, isUnavailable } from '../../db/database-errors.ts';
import { prepared } from '../../db/prepared.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Tables } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { SmtpReply } from '../../mail/smtp/smtp-callbacks.ts';
import { findOriginal, rawKey } from '../../messages/originals.ts';
import { originalRowBytesMax } from '../../messages/store/store-message.ts';
import { spoolLimits } from '../limits.ts';
import type { SpoolTarget } from './spooled-mail.entity.ts';

/** The envelope of an acknowledged mail, as the spool has it. */
export type SpooledEnvelope = Selectable<Tables['spooled_mail']>;

/** Returns the reply to a mail once it is in the spool. */
export function acknowledgement({ id }: Pick<SpooledEnvelope, 'id'>): SmtpReply {
  return { code: 250, enhanced: '2.0.0', text: `Ok: ${id}` };
}

/** A mail with its envelope. */
export interface SpooledMail {
  envelope: SpooledEnvelope;
  raw: Buffer;
}

/** Stores a mail durably. Returns false, and stores nothing, if all of its inboxes were deleted. */
export type SpoolMail = (mail: SpooledMail) => Promise<boolean>;

/** Creates a spool. Mails that arrive during a commit share the next one. */
export function createSpool(deps: Pick<Deps, 'db' | 'files'>): SpoolMail {
  const commitBatch = async (batch: SpooledMail[]) => {
    const kept = await insert(deps, batch);
    return batch.map(({ envelope }) => kept.has(envelope.id));
  };
  const commitTogether = createBatcher(commitBatch, { countOf: countForCommit });
  // A mail that the database refuses must not fail the others of its commit.
  const commit = (mail: SpooledMail): Promise<boolean> =>
    commitTogether(mail).catch(async (error: unknown) => {
      if (!isRolledBack(error) || isUnavailable(error)) throw error;
      return (await insert(deps, [mail])).has(mail.envelope.id);
    });
  return async (mail) => {
    const { raw, envelope } = mail;
    if (isRow(raw)) return commit(mail);
    await putFiles(deps, raw, envelope.targets);
    // After a broken connection the rows may be written or not, so the files stay.
    const kept = await commit(mail).catch(async (error: unknown) => {
      if (isRolledBack(error)) await removeFiles(deps, envelope.targets);
      throw error;
    });
    if (!kept) await removeFiles(deps, envelope.targets);
    return kept;
  };
}

function isRow(raw: Buffer): boolean {
  return raw.length <= originalRowBytesMax;
}

function countForCommit(waiting: SpooledMail[]): number {
  let bytes = 0;
  const fits = ({ raw }: SpooledMail) => {
    bytes += isRow(raw) ? raw.length : 0;
    return bytes <= spoolLimits.bytesMax;
  };
  const next = waiting.slice(0, spoolLimits.mailsMax);
  const end = next.findIndex((mail) => !fits(mail));
  return end < 0 ? next.length : end;
}

/** Writes all mails with one statement. Their bytes are one value, which the database cuts up, since that needs no encoding. */
async function insert(deps: Pick<Deps, 'db'>, batch: SpooledMail[]): Promise<Set<string>> {
  const rows: { mail: string; target: SpoolTarget; start: number; length: number }[] = [];
  const pieces: Buffer[] = [];
  let start = 1;
  for (const { envelope, raw } of batch) {
    for (const target of envelope.targets)
      rows.push({ mail: envelope.id, target, start, length: isRow(raw) ? raw.length : -1 });
    if (!isRow(raw)) continue;
    pieces.push(raw);
    start += raw.length;
  }
  const kept = await insertAll(
    { db: acrossWorkspaces(deps, 'an email may be for several workspaces') },
    {
      mails: rows.map(({ mail }) => mail),
      workspaces: rows.map(({ target }) => target.workspace_id),
      inboxes: rows.map(({ target }) => target.inbox_id),
      messages: rows.map(({ target }) => target.message_id),
      starts: rows.map((row) => row.start),
      lengths: rows.map((row) => row.length),
      bytes: Buffer.concat(pieces),
      envelopes: JSON.stringify(batch.map(({ envelope }) => envelope)),
    },
  );
  return new Set(kept.map(({ mail }) => mail));
}

interface Values {
  mails: string[];
  workspaces: string[];
  inboxes: string[];
  messages: string[];
  starts: number[];
  lengths: number[];
  bytes: Buffer;
  envelopes: string;
}

const insertAll = prepared((db, values: Values) =>
  sql<{ mail: string }>`
    with target as (
      select * from unnest(${values.mails}::text[], ${values.workspaces}::text[], ${values.inboxes}::text[],
        ${values.messages}::text[], ${values.starts}::int[], ${values.lengths}::int[])
      as t(mail, workspace_id, inbox_id, message_id, start, length)),
    live as materialized (
      select t.* from target t where exists (select from inboxes i
        where i.workspace_id = t.workspace_id and i.id = t.inbox_id and i.deleted_at is null)),
    kept_bytes as (
      insert into originals (workspace_id, message_id, raw)
        select workspace_id, message_id, substring(${values.bytes}::bytea from start for length)
        from live where length >= 0),
    kept_envelope as (
      insert into spooled_mail (id, at, session_id, remote_address, helo, envelope_from, size_bytes, targets)
        select id, at, session_id, remote_address, helo, envelope_from, size_bytes, targets
        from jsonb_populate_recordset(null::spooled_mail, ${values.envelopes}::jsonb) e where e.id in (select mail from live))
    select distinct mail from live`.compile(db),
);

/** Reads the bytes of a spooled mail. Returns null if they were removed with all of its inboxes. */
export type ReadSpooled = (envelope: SpooledEnvelope) => Promise<Buffer | null>;

/** Creates a reader that reads many mails with one query. */
export function createSpooledReader(deps: Pick<Deps, 'db' | 'files'>): ReadSpooled {
  const findRow = createBatcher((targets: SpoolTarget[]) => findRows(deps, targets), {
    countOf: ({ length }) => Math.min(length, spoolLimits.mailsPerQueryMax),
  });
  // All inboxes of the mail have the same bytes, except inboxes that were already deleted.
  return async ({ targets }) => {
    const row = targets[0] ? await findRow(targets[0]) : null;
    if (row) return row;
    for (const { workspace_id, inbox_id, message_id } of targets) {
      const raw = await findOriginal(deps, { workspace_id, inbox_id, id: message_id });
      if (raw) return raw;
    }
    return null;
  };
}

async function findRows(deps: Pick<Deps, 'db'>, targets: SpoolTarget[]): Promise<(Buffer | null)[]> {
  const workspaces = targets.map(({ workspace_id }) => workspace_id);
  const messages = targets.map(({ message_id }) => message_id);
  const { rows } = await sql<{ message_id: string; raw: Uint8Array }>`
    select o.message_id, o.raw from unnest(${workspaces}::text[], ${messages}::text[]) t(workspace_id, message_id)
      join originals o using (workspace_id, message_id)`.execute(
    acrossWorkspaces(deps, 'the spool holds mail of all workspaces'),
  );
  const found = new Map(rows.map(({ message_id, raw }) => [message_id, Buffer.from(raw)]));
  return messages.map((id) => found.get(id) ?? null);
}

/** Removes a mail from the spool once there is nothing left to file. */
export async function removeFromSpool(deps: Pick<Deps, 'db'>, id: string): Promise<void> {
  await acrossWorkspaces(deps, 'an email may be for several workspaces')
    .deleteFrom('spooled_mail')
    .where('id', '=', id)
    .execute();
}

async function putFiles(deps: Pick<Deps, 'files'>, raw: Buffer, targets: SpoolTarget[]): Promise<void> {
  for (const target of targets) await deps.files.put(fileKey(target), raw);
}

function removeFiles(deps: Pick<Deps, 'files'>, targets: SpoolTarget[]): Promise<void> {
  return deps.files.delete(targets.map(fileKey));
}

function fileKey({ workspace_id, inbox_id, message_id }: SpoolTarget): string {
  return rawKey({ workspace_id, inbox_id, id: message_id });
}
