import { sql } from 'kysely';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { createGroupedCall } from '../../lib/concurrency/group-calls.ts';
import { findOriginal } from '../../messages/originals.ts';
import type { SpooledEnvelope } from './spool-mail.ts';
import type { SpoolTarget } from './spooled-mail.entity.ts';

/** Reads the bytes of a spooled mail. Returns null if they were removed with all of its inboxes. */
export type ReadSpooled = (envelope: SpooledEnvelope) => Promise<Buffer | null>;

const mailsPerQueryMax = 64;

/** Creates a reader that reads many mails with one query. */
export const createSpooledReader = (deps: Pick<Deps, 'db' | 'files'>): ReadSpooled => {
  const findRow = createGroupedCall((targets: SpoolTarget[]) => findRows(deps, targets), {
    countOf: ({ length }) => Math.min(length, mailsPerQueryMax),
  });
  // All inboxes of the mail have the same bytes, except those that were gone already.
  return async ({ targets }) => {
    const row = targets[0] ? await findRow(targets[0]) : null;
    if (row) return row;
    for (const { workspace_id, inbox_id, message_id } of targets) {
      const raw = await findOriginal(deps, { workspace_id, inbox_id, id: message_id });
      if (raw) return raw;
    }
    return null;
  };
};

const findRows = async (deps: Pick<Deps, 'db'>, targets: SpoolTarget[]): Promise<(Buffer | null)[]> => {
  const workspaces = targets.map(({ workspace_id }) => workspace_id);
  const messages = targets.map(({ message_id }) => message_id);
  const { rows } = await sql<{ message_id: string; raw: Uint8Array }>`
    select o.message_id, o.raw from unnest(${workspaces}::text[], ${messages}::text[]) t(workspace_id, message_id)
      join originals o using (workspace_id, message_id)`.execute(
    acrossWorkspaces(deps, 'the spool holds mail of all workspaces'),
  );
  const found = new Map(rows.map(({ message_id, raw }) => [message_id, Buffer.from(raw)]));
  return messages.map((id) => found.get(id) ?? null);
};
