/*
 * The queue of files to read, by leases (`lib/clock.ts`); the fence of a file is its `tries`. A file is claimed together with the other
 * pending files of its message, whose original is then read once.
 */
import { sql } from 'kysely';
import type { AttachmentRow } from '../../attachments/attachment.view.ts';
import type { Context } from '../../context.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { leaseEnd } from '../../lib/clock.ts';
import { kindOfFile } from './file-kind.ts';
import { fileLimits } from './file-text.ts';

/** The columns of an attachment that decide whether it is read. */
export type QueuedFile = Pick<
  AttachmentRow,
  'workspace_id' | 'id' | 'message_id' | 'filename' | 'mime_type' | 'size_bytes'
>;

/**
 * Queues those files of messages whose text can be read, of any workspaces. Files that have been queued before are left as they are. Call
 * it in the transaction that indexes the messages, and `filesAreDue` after its commit. Returns the number of files that are now to be
 * read.
 */
export async function queueFiles(tx: Pick<Context, 'db' | 'clock'>, files: QueuedFile[]): Promise<number> {
  const readable = files.filter((file) => kindOfFile({ filename: file.filename, mimeType: file.mime_type }));
  if (readable.length === 0) return 0;
  const column = (of: (file: QueuedFile) => string) => sql`${readable.map(of)}::text[]`;
  const queued =
    await sql`insert into attachment_texts (workspace_id, message_id, attachment_id, status, due_at)
    select workspace_id, message_id, id, status, case status when 'pending' then ${tx.clock.now()}::timestamptz end
    from unnest(${column((file) => file.workspace_id)}, ${column((file) => file.message_id)}, ${column(({ id }) => id)},
      ${column(({ size_bytes }) => (size_bytes > fileLimits.bytesMax ? 'too_large' : 'pending'))})
      file(workspace_id, message_id, id, status)
    order by 1, 2, 3 on conflict do nothing`.execute(tx.db);
  return Number(queued.numAffectedRows ?? 0);
}

/** Has the workers look for files to read. Call it after the commit that queued some. */
export function filesAreDue({ wakeups }: Pick<Deps, 'wakeups'>, workspaceId: string): void {
  wakeups.wake(workspaceId, 'files');
}

/** Much longer than one file takes. The lease is renewed after each. */
const fileLease = { ms: 60_000, leastMs: 15_000 };
/** A file that cannot be read for now is tried again after this time. */
const againAfterMs = 60_000;

/** A file that this process is to read. */
export interface ClaimedFile {
  attachment_id: string;
  tries: number;
  inbox_id: string;
  position: number;
  filename: string;
  mime_type: string;
}

/** A message with the files that this process is to read. */
export interface ClaimedMessage {
  workspace_id: string;
  message_id: string;
  files: ClaimedFile[];
}

/**
 * Claims the pending files of the newest message that has some, in the next workspace after `after`, so that workspaces take turns.
 * Those that are `resting` get no turn while others have files. Returns null if no file is due.
 */
export async function claimFiles(
  deps: ClaimDeps,
  after: string,
  resting: string[] = [],
): Promise<ClaimedMessage | null> {
  return (
    (after === '' ? null : await claimAfter(deps, after, resting)) ??
    (await claimAfter(deps, '', resting)) ??
    (resting.length === 0 ? null : claimAfter(deps, '', []))
  );
}

type ClaimDeps = Pick<Deps, 'db' | 'clock' | 'timeScale'>;

async function claimAfter(
  deps: ClaimDeps,
  after: string,
  exceptOf: string[],
): Promise<ClaimedMessage | null> {
  const now = deps.clock.now();
  const { rows } = await sql<ClaimedFile & { workspace_id: string; message_id: string }>`
    with next as materialized (
      select workspace_id, message_id from attachment_texts
      where status = 'pending' and due_at <= ${now} and workspace_id > ${after} and workspace_id <> all(${exceptOf}::text[])
      order by workspace_id, message_id desc limit 1 for update skip locked),
    claimed as (
      update attachment_texts t set due_at = ${leaseEnd(deps, fileLease, now)}, tries = tries + 1 from next
      where t.workspace_id = next.workspace_id and t.message_id = next.message_id and t.status = 'pending' and t.due_at <= ${now}
      returning t.workspace_id, t.message_id, t.attachment_id, t.tries)
    select c.*, a.inbox_id, a.position, a.filename, a.mime_type
    from claimed c join attachments a on a.workspace_id = c.workspace_id and a.id = c.attachment_id
    order by a.position`.execute(acrossWorkspaces(deps, 'files of all workspaces are read'));
  const [first] = rows;
  return first ? { workspace_id: first.workspace_id, message_id: first.message_id, files: rows } : null;
}

/** Renews the lease of files that are not read yet. */
export async function renewFiles(deps: Deps, message: ClaimedMessage, files: ClaimedFile[]): Promise<void> {
  await reschedule(deps, message, files, { at: leaseEnd(deps, fileLease, deps.clock.now()), isTry: true });
}

/** How often the lease is renewed while a file is read, which takes as long as the machine is busy. */
export const renewEveryMs = 20_000;

/** Lets files be tried again later, as if they had not been tried. */
export async function putBackFiles(
  deps: Deps,
  message: ClaimedMessage,
  files: ClaimedFile[],
  { isDueNow = false }: { isDueNow?: boolean } = {},
): Promise<void> {
  const now = deps.clock.now();
  const at = isDueNow ? now : new Date(now.getTime() + deps.timeScale.scaleMs(againAfterMs));
  await reschedule(deps, message, files, { at, isTry: false });
}

async function reschedule(
  deps: Pick<Deps, 'db'>,
  { workspace_id, message_id }: ClaimedMessage,
  files: ClaimedFile[],
  { at, isTry }: { at: Date; isTry: boolean },
): Promise<void> {
  if (files.length === 0) return;
  await sql`update attachment_texts t set due_at = ${at}, tries = t.tries - ${isTry ? 0 : 1}::int
    from unnest(${files.map((file) => file.attachment_id)}::text[], ${files.map(({ tries }) => tries)}::int[]) f(id, tries)
    where t.workspace_id = ${workspace_id} and t.message_id = ${message_id} and t.attachment_id = f.id and t.tries = f.tries
      and t.status = 'pending'`.execute(deps.db);
}
