import { sql } from 'kysely';
import { byteaList } from '../../db/prepared.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import type { EmbeddingProvider } from '../../embedding/provider.ts';
import { EmbeddingError } from '../../embedding/provider.ts';
import { extractReply } from '../../mail/reply/extract-reply.ts';
import { packVector, vectorCode, vectorSpace } from './vectors.ts';

/** Messages of one call of the provider. */
const batchRows = 64;
/** The start of the new text of a message tells its topic. */
const textCharactersMax = 2_000;
/** The new text of a sent message is found within this part. */
const bodyCharactersMax = 6_000;
const subjectCharactersMax = 300;
/** A service that refuses this many single texts in a row counts as failing. */
const refusedMax = 3;

interface PendingMessage {
  workspace_id: string;
  message_id: string;
  /** Null once the message was removed. */
  inbox_id: string | null;
  direction: 'inbound' | 'outbound' | null;
  subject: string | null;
  extracted_text: string | null;
  body: string | null;
  is_current: boolean;
}

type Vector = Float32Array | null;

/**
 * Embeds the next waiting messages, newest first: those that have just been stored, or older ones. Returns how many it took.
 *
 * @throws EmbeddingError if the provider fails. The messages then keep waiting.
 */
export async function embedPending(
  deps: Pick<Deps, 'db' | 'log'>,
  provider: EmbeddingProvider,
  isLive: boolean,
  signal: AbortSignal,
): Promise<number> {
  const space = vectorSpace(provider);
  const pending = await readPending(deps, space, isLive);
  if (pending.length === 0) return 0;
  const due = pending.filter((row) => row.inbox_id !== null && !row.is_current);
  const texts = due.map(embeddedText);
  const vectors = texts.length === 0 ? [] : await embedTexts(deps, provider, texts, signal);
  const vectorByRow = new Map(due.map((row, index) => [row, vectors[index] ?? null]));
  await storeVectors(
    deps,
    space,
    pending.map((row) => ({ ...row, vector: vectorByRow.get(row) ?? null })),
  );
  return pending.length;
}

async function readPending(
  deps: Pick<Deps, 'db'>,
  space: number,
  isLive: boolean,
): Promise<PendingMessage[]> {
  const db = acrossWorkspaces(deps, 'one process embeds the messages of all workspaces');
  const { rows } = await sql<PendingMessage>`
    select p.workspace_id, p.message_id, m.inbox_id, m.direction, left(m.subject, ${subjectCharactersMax}::int) as subject,
      left(nullif(m.extracted_text, ''), ${textCharactersMax}::int) as extracted_text,
      left(coalesce(nullif(m.body_text, ''), m.snippet), ${bodyCharactersMax}::int) as body,
      coalesce((select c.space = ${space}::int from search_codes c
        where c.workspace_id = p.workspace_id and c.message_id = p.message_id), false) as is_current
    from (select * from embedding_pending where is_live = ${isLive} order by message_id desc limit ${batchRows}) p
    left join messages m on m.workspace_id = p.workspace_id and m.id = p.message_id
    order by p.workspace_id, p.message_id`.execute(db);
  return rows;
}

/** Returns the embedded text of a message: its subject and the start of its new text. A sent message has its history in its body. */
function embeddedText({ direction, subject, extracted_text, body }: PendingMessage): string {
  const whole = body ?? '';
  const sent = () => extractReply(whole, null, { subject: subject ?? '' }) || whole;
  const text = extracted_text ?? (direction === 'outbound' ? sent() : whole);
  return `${subject ?? ''}\n${text.slice(0, textCharactersMax)}`.toWellFormed();
}

/** Embeds texts in one call. If that fails, one by one, so that a text that the provider refuses does not hold up the others. */
async function embedTexts(
  { log }: Pick<Deps, 'log'>,
  provider: EmbeddingProvider,
  texts: string[],
  signal: AbortSignal,
): Promise<Vector[]> {
  const together = await provider.embedMany(texts, signal).catch((error: unknown) => {
    if (texts.length > 1 && error instanceof EmbeddingError && !signal.aborted) return error;
    throw error;
  });
  if (!(together instanceof EmbeddingError)) return together.map((vector) => usable(vector, provider));
  const vectors: Vector[] = [];
  let refused = 0;
  for (const text of texts) {
    const vector = await provider.embedMany([text], signal).then(
      ([one]) => one ?? null,
      (error: unknown) => error,
    );
    const isRefused = vector instanceof EmbeddingError;
    if (!isRefused && !(vector instanceof Float32Array) && vector !== null) throw vector;
    refused = isRefused ? refused + 1 : 0;
    // Also when all of a short batch were refused: nothing shows then that the provider works.
    if (refused === Math.min(refusedMax, texts.length)) throw together;
    vectors.push(isRefused ? null : usable(vector as Vector, provider));
  }
  log.warn({ err: together, provider: provider.name }, 'some messages could not be embedded');
  return vectors;
}

/** Returns null for a vector that has no direction. */
function usable(vector: Vector, { name, dimensions }: EmbeddingProvider): Vector {
  if (!vector) return null;
  if (vector.length !== dimensions)
    throw new EmbeddingError(`${name} returned ${vector.length} numbers for ${dimensions}.`, {
      mayPass: false,
    });
  const square = vector.reduce((sum, value) => sum + value * value, 0);
  return square > 0 && Number.isFinite(square) ? vector : null;
}

/**
 * Stores the vectors of the messages that still wait. A message that was removed meanwhile no longer waits, and the removal of a message
 * waits for this statement, so no vector outlives its message. Rows are locked in the order of their keys, like those of removals.
 */
async function storeVectors(
  deps: Pick<Deps, 'db'>,
  space: number,
  items: (PendingMessage & { vector: Vector })[],
): Promise<void> {
  const db = acrossWorkspaces(deps, 'one process embeds the messages of all workspaces');
  const codes = items.map(({ vector }) => (vector ? vectorCode(vector) : null));
  const vectors = byteaList(items.map(({ vector }) => (vector ? packVector(vector) : null)));
  await sql`
    with item as materialized (
      select * from unnest(${items.map((row) => row.workspace_id)}::text[], ${items.map((row) => row.message_id)}::text[],
        ${items.map((row) => row.inbox_id)}::text[], ${codes}::text[], ${vectors}::bytea[])
        item(workspace_id, message_id, inbox_id, code, vector)),
    taken as (
      select p.workspace_id, p.message_id from embedding_pending p
        where (p.workspace_id, p.message_id) in (select workspace_id, message_id from item)
        order by 1, 2 for update),
    mine as (
      delete from embedding_pending p using taken t where p.workspace_id = t.workspace_id and p.message_id = t.message_id
        returning p.workspace_id, p.message_id),
    embedded as (
      select item.* from item join mine using (workspace_id, message_id) where code is not null order by 1, 2),
    codes as (
      insert into search_codes (code, space, workspace_id, inbox_id, message_id)
        select code::bit(768), ${space}::int, workspace_id, inbox_id, message_id from embedded
        on conflict (workspace_id, message_id) do update set code = excluded.code, space = excluded.space)
    insert into search_vectors (workspace_id, message_id, vector) select workspace_id, message_id, vector from embedded
      on conflict (workspace_id, message_id) do update set vector = excluded.vector`.execute(db);
}
