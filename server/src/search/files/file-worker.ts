import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { restMsAfter } from '../../lib/admission/slots.ts';
import { ApiError } from '../../lib/api-error.ts';
import { nothingDue, startLoop } from '../../lib/concurrency/worker-loop.ts';
import { cleanText } from '../../lib/texts.ts';
import { findOriginal, parseFiles } from '../../messages/originals.ts';
import { kindOfFile } from './file-kind.ts';
import {
  type ClaimedFile,
  type ClaimedMessage,
  claimFiles,
  putBackFiles,
  renewEveryMs,
  renewFiles,
} from './file-queue.ts';
import { FileReader } from './file-reader.ts';
import { type FileText, withoutText } from './file-text.ts';

/** A message whose files took this long makes its workspace wait for a multiple of that, as long as others have files. */
const longMs = 1_000;
const rest = { share: 4, msMax: 60_000 };

/**
 * Reads the texts of queued files, one file at a time. Any number of processes may run it. Returns a function that stops it; a file that is
 * being read is then left to the next start.
 */
export function startFileWorker(deps: Deps): () => Promise<void> {
  const reader = new FileReader();
  const restUntil = new Map<string, number>();
  let after = '';
  const look = async (stopped: AbortSignal): Promise<number> => {
    const startedAt = performance.now();
    for (const [id, until] of restUntil) if (until <= startedAt) restUntil.delete(id);
    const message = await claimFiles(deps, after, [...restUntil.keys()]);
    after = message?.workspace_id ?? '';
    if (!message) return nothingDue;
    await readClaimed(deps, reader, message, stopped);
    const tookMs = performance.now() - startedAt;
    if (tookMs > longMs) restUntil.set(message.workspace_id, performance.now() + restMsAfter(tookMs, rest));
    deps.wakeups.wake(message.workspace_id);
    return 0;
  };
  const loop = startLoop({
    look,
    onError: (error) => deps.log.error({ err: error }, 'files were not read for the search'),
    lookAgainMs: deps.lookAgainMs,
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake, 'files');
  return async () => {
    unlisten();
    const stopped = loop.stop();
    reader.close();
    await stopped;
  };
}

/** A claimed file that was read. */
interface ReadClaimed {
  file: ClaimedFile;
  read: FileText;
}

/** How often a file is tried whose reading was cut off by the end of this process. */
const triesMax = 2;
/** After this time the other files of a message wait for the next turn of its workspace. A mail may have 100 files that each take long. */
const longestTurnMs = 5_000;
/** Texts are stored once there are so many characters, or at the end. */
const keptLengthMax = 1_000_000;

/**
 * Reads the claimed files of a message one after another and stores their texts. After `turnMs`, or if `stopped` is aborted, the
 * remaining files are due again as they were.
 *
 * @throws Error if nothing can be read for now; the files are then due again in a minute.
 */
export async function readClaimed(
  deps: Deps,
  reader: FileReader,
  message: ClaimedMessage,
  stopped: AbortSignal,
  turnMs = longestTurnMs,
): Promise<void> {
  const startedAt = performance.now();
  const left = [...message.files];
  let results: ReadClaimed[] = [];
  const renew = () => renewFiles(deps, message, [...left, ...results.map(({ file }) => file)]);
  // If it cannot be renewed now, the next try comes in time.
  const renewing = setInterval(() => void renew().catch(() => {}), renewEveryMs);
  try {
    const readContent = await openFiles(deps, message);
    for (let file = left[0]; file && !stopped.aborted; file = left[0]) {
      const read = await readOne(reader, file, readContent(file));
      left.shift();
      results.push({ file, read });
      deps.metrics.filesRead.inc({ result: read.status });
      if (totalLength(results) >= keptLengthMax) {
        await storeTexts(deps, message, results);
        results = [];
      }
      if (performance.now() - startedAt >= turnMs) break;
      await renew();
    }
  } catch (error) {
    if (!stopped.aborted) {
      await putBackFiles(deps, message, left);
      throw error;
    }
  } finally {
    clearInterval(renewing);
    await storeTexts(deps, message, results);
  }
  await putBackFiles(deps, message, left, { isDueNow: true });
}

/** Returns a function to the bytes of each file; or to the reason why there are none, if the original of the message cannot be read. */
async function openFiles(
  deps: Deps,
  { workspace_id, message_id, files: [first] }: ClaimedMessage,
): Promise<(file: ClaimedFile) => Buffer | FileText> {
  const raw = await findOriginal(deps, { workspace_id, inbox_id: first?.inbox_id ?? '', id: message_id });
  if (!raw) return () => withoutText('failed');
  try {
    const files = await parseFiles(deps, raw, workspace_id);
    return ({ position }) => files[position]?.content ?? withoutText('failed');
  } catch (error) {
    if (error instanceof ApiError) throw error;
    return () => withoutText('failed');
  }
}

async function readOne(reader: FileReader, file: ClaimedFile, content: Buffer | FileText): Promise<FileText> {
  if (file.tries > triesMax) return withoutText('failed');
  if (!Buffer.isBuffer(content)) return content;
  const kind = kindOfFile({ filename: file.filename, mimeType: file.mime_type });
  return kind ? reader.read(kind, content) : withoutText('unsupported');
}

function totalLength(results: ReadClaimed[]): number {
  return results.reduce((sum, { read }) => sum + read.text.length, 0);
}

/**
 * Stores what was read from files of a message, and has the message indexed again if any of them has text. Files that another process
 * claimed meanwhile are left to it. The message is locked first, as by its removal, which then removes these rows, too.
 */
async function storeTexts(
  deps: Pick<Deps, 'db'>,
  { workspace_id, message_id }: ClaimedMessage,
  results: ReadClaimed[],
): Promise<void> {
  if (results.length === 0) return;
  const texts = results.map(({ read }) => (read.status === 'done' ? cleanText(read.text) : null));
  await sql`
    with message as materialized (
      select workspace_id, id from messages where workspace_id = ${workspace_id} and id = ${message_id} for share),
    stored as (
      update attachment_texts t set status = f.status, text = f.text, due_at = null
      from message m, unnest(${results.map(({ file }) => file.attachment_id)}::text[], ${results.map(({ file }) => file.tries)}::int[],
        ${results.map(({ read }) => read.status)}::text[], ${texts}::text[]) f(id, tries, status, text)
      where t.workspace_id = m.workspace_id and t.message_id = m.id and t.attachment_id = f.id and t.tries = f.tries
        and t.status = 'pending'
      returning t.workspace_id, t.message_id, t.text)
    insert into search_pending (workspace_id, message_id)
    select distinct workspace_id, message_id from stored where text is not null
    on conflict (workspace_id, message_id) do update set revision = search_pending.revision + 1`.execute(
    deps.db,
  );
}
