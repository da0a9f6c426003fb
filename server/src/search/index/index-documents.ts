import { sql } from 'kysely';
import { inTransaction } from '../../db/connections.ts';
import { isUnavailable } from '../../db/database-errors.ts';
import { intList, prepared, textList } from '../../db/prepared.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { WorkStopped } from '../../lib/concurrency/work-stopped.ts';
import { filesAreDue, queueFiles } from '../files/file-queue.ts';
import type { ChooseBucket } from './choose-bucket.ts';
import type { DocumentThread, Extent, IndexAnswer, IndexJob, MadeDocuments } from './index-thread.ts';
import { LeaseLost } from './lead.ts';
import type { DocumentRow } from './read-documents.ts';

/** The parts of the indexer that live as long as this process has the lease. */
export interface IndexSession {
  holder: string;
  thread: DocumentThread;
  chooseBucket: ChooseBucket;
}

/** The end of a backfill once a batch is written: where it goes on, and '' if nothing is left. Null for messages that wait. */
type BackfilledTo = string | null;

type IndexDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'wakeups'>;

/** The number of messages that are written at once. The thread makes the documents of the next ones meanwhile. */
const togetherMax = 64;

/**
 * Indexes messages, and returns the number of those that were written. A message that cannot be indexed as a whole is indexed without its
 * texts.
 *
 * @throws LeaseLost; any error that is not due to a message.
 */
export async function indexDocuments(
  deps: IndexDeps,
  session: IndexSession,
  rows: DocumentRow[],
  backfilled: BackfilledTo = null,
): Promise<number> {
  if (rows.length === 0) return 0;
  const messages: IndexJob['messages'] = [];
  for (const row of rows) messages.push({ row, place: await choosePlace(session, row) });
  const parts: IndexJob['messages'][] = [];
  for (let from = 0; from < messages.length; from += togetherMax)
    parts.push(messages.slice(from, from + togetherMax));
  const make = (part: IndexJob['messages'] | undefined) => part && settle(session.thread.make(part, 'whole'));
  let written = 0;
  let making = make(parts[0]);
  for (const [index, part] of parts.entries()) {
    const made = await making;
    making = make(parts[index + 1]);
    const isLast = index === parts.length - 1;
    const to = backfilled === null || isLast ? backfilled : (part.at(-1)?.row.message_id ?? backfilled);
    written += await indexPart(deps, session, part, to, 'whole', made);
  }
  await tidyIndex(deps);
  return written;
}

/** Keeps a rejection that nobody waits for yet from ending the process. */
function settle(made: Promise<MadeDocuments>): Promise<{ made: MadeDocuments } | { error: unknown }> {
  return made.then(
    (documents) => ({ made: documents }),
    (error: unknown) => ({ error }),
  );
}

/**
 * Moves new entries into the inverted index. Until then, they are in a list that every search reads. Sorting in the lexemes of many
 * messages at once takes a third of the time that it takes message by message.
 */
async function tidyIndex(deps: IndexDeps): Promise<void> {
  await sql`select gin_clean_pending_list('search_messages_words'), gin_clean_pending_list('search_words_variants')`.execute(
    acrossWorkspaces(deps, 'the index has the messages of all workspaces'),
  );
}

async function choosePlace({ chooseBucket }: IndexSession, row: DocumentRow) {
  const { bucket, number, block } = row;
  return bucket !== null && number !== null && block !== null
    ? { bucket, number, block }
    : chooseBucket(row.workspace_id, row.message_id);
}

const lesserExtents: Record<Extent, Extent | null> = { whole: 'subject', subject: 'facets', facets: null };

/**
 * Indexes some messages together. If that fails because of one of them, each is indexed alone, with less of it if need be. A single one
 * that was made in advance is tried once more as a whole.
 */
async function indexPart(
  deps: IndexDeps,
  session: IndexSession,
  messages: IndexJob['messages'],
  backfilled: BackfilledTo,
  extent: Extent = 'whole',
  making?: Awaited<ReturnType<typeof settle>>,
): Promise<number> {
  try {
    const result = making ?? (await settle(session.thread.make(messages, extent)));
    if ('error' in result) throw result.error;
    return await write(deps, session, messages, backfilled, result.made);
  } catch (error) {
    if (!isDueToMessage(error)) throw error;
    const [first] = messages;
    if (messages.length === 1 && first && making === undefined) {
      const less = lesserExtents[extent];
      if (less === null) throw error;
      const { workspace_id: workspaceId, message_id: messageId } = first.row;
      deps.log.warn({ err: error, workspaceId, messageId }, 'a message could not be indexed as a whole');
      return indexPart(deps, session, messages, backfilled, less);
    }
    let written = 0;
    for (const [index, message] of messages.entries()) {
      const isLast = index === messages.length - 1;
      const to = backfilled === null || isLast ? backfilled : message.row.message_id;
      written += await indexPart(deps, session, [message], to);
    }
    return written;
  }
}

function isDueToMessage(error: unknown): boolean {
  if (error instanceof WorkStopped) return error.isFinal;
  return !(error instanceof LeaseLost) && !isUnavailable(error);
}

/**
 * Writes documents to the index. Returns the number of those whose messages are still there. Their files are queued in the same
 * transaction, so that none is forgotten and none is queued for a message that was removed.
 */
async function write(
  deps: IndexDeps,
  { holder, thread }: IndexSession,
  messages: IndexJob['messages'],
  backfilled: BackfilledTo,
  { job, lists }: MadeDocuments,
): Promise<number> {
  const rows = messages.map(({ row }) => row);
  const values: IndexValues = {
    holder,
    workspaceIds: textList(rows.map((row) => row.workspace_id)),
    ids: textList(rows.map((row) => row.message_id)),
    revisions: backfilled === null ? intList(rows.map((row) => row.revision)) : null,
    areNew: rows.map((row) => row.bucket === null),
    buckets: intList(messages.map(({ place }) => place.bucket)),
    backfilled,
    ...lists,
  };
  const db = acrossWorkspaces(deps, 'one process indexes the messages of all workspaces');
  const hasFiles = rows.some((row) => row.files.length > 0);
  const answer = hasFiles
    ? await inTransaction({ ...deps, db }, (tx) => writeWithFiles(tx, values, rows))
    : await writeOnly({ db }, values);
  const indexed = answer.indexed.map((place) => rows[place - 1]?.workspace_id ?? '');
  if (hasFiles) for (const workspaceId of new Set(indexed)) filesAreDue(deps, workspaceId);
  thread.learn({ job, places: answer.learned, counts: answer.learned_n });
  return indexed.length;
}

interface Written {
  /** The places of the messages that were written, from 1. */
  indexed: number[];
  learned: number[];
  learned_n: number[];
}

async function writeOnly(tx: { db: Db }, values: IndexValues): Promise<Written> {
  const [answer] = await writeIndex(tx, values);
  if (!answer?.indexed) throw new LeaseLost();
  return answer;
}

async function writeWithFiles(tx: IndexDeps, values: IndexValues, rows: DocumentRow[]): Promise<Written> {
  const answer = await writeOnly(tx, values);
  const written = answer.indexed.flatMap((place) => rows[place - 1] ?? []);
  await queueFiles(
    tx,
    written.flatMap(({ workspace_id, message_id, files }) =>
      files.map((file) => ({ workspace_id, message_id, ...file })),
    ),
  );
  return answer;
}

interface IndexValues extends Record<keyof IndexAnswer, Buffer> {
  holder: string;
  workspaceIds: Buffer;
  ids: Buffer;
  revisions: Buffer | null;
  areNew: boolean[];
  buckets: Buffer;
  backfilled: string | null;
}

const writeIndex = prepared((db, values: IndexValues) =>
  sql<Written | { indexed: null }>`
    select indexed, learned, learned_n from index_messages(${values.holder}, ${values.workspaceIds}::text[], ${values.ids}::text[],
      ${values.revisions}::int[], ${values.areNew}::boolean[], ${values.buckets}::int[], ${values.vectors}::text[],
      ${values.wordMessages}::int[], ${values.words}::text[], ${values.adds}::int[], ${values.variants}::text[],
      ${values.backfilled}::text)`.compile(db),
);
