/*
 * The work of the indexer that mail does not wait for: words of removed messages leave the vocabulary, and mail from before the index is
 * indexed. Both continue where they were, whichever process dies.
 */
import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { firstIdAt } from '../../lib/ids.ts';
import { type IndexSession, indexDocuments } from './index-documents.ts';
import { LeaseLost } from './lead.ts';
import { type BatchSize, isThere, readOld } from './read-documents.ts';

/** The amount of work that is done at once. */
export interface ForgetSize {
  messages: number;
  /** The number of words that one statement looks up in the index. */
  words: number;
}

/**
 * Takes the words of some removed messages of one workspace out of the vocabulary, unless other messages have them. Returns whether there
 * were any such messages. It may take seconds, so it calls `meanwhile` after each statement, which may index messages. If that returns
 * false, it ends there, and begins with the same messages the next time.
 *
 * @throws LeaseLost
 */
export async function forgetWords(
  deps: Pick<Deps, 'db'>,
  session: IndexSession,
  size: ForgetSize,
  meanwhile: () => Promise<boolean>,
): Promise<boolean> {
  const db = acrossWorkspaces(deps, 'one process keeps the vocabularies of all workspaces');
  const gone = await sql<{ workspace_id: string; number: number }>`
    select workspace_id, number from search_gone where workspace_id = (select workspace_id from search_gone order by workspace_id, number limit 1)
    order by number limit ${size.messages}`.execute(db);
  const [first] = gone.rows;
  if (!first) return false;
  const workspaceId = first.workspace_id;
  const numbers = gone.rows.map(({ number }) => number);
  const counted = await sql<{ word: string; seen: number }>`
    select w.word, count(*)::int as seen from search_gone g, unnest(tsvector_to_array(g.words)) lexeme, search_words w
    where g.workspace_id = ${workspaceId} and g.number = any(${numbers}) and w.workspace_id = ${workspaceId} and w.word = lexeme
    group by w.word`.execute(db);
  const words = counted.rows;
  for (let from = 0; from < words.length; from += size.words) {
    await forgetSome(deps, session, workspaceId, words.slice(from, from + size.words));
    if (!(await meanwhile())) return true;
  }
  await sql`delete from search_gone where workspace_id = ${workspaceId} and number = any(${numbers})`.execute(
    db,
  );
  return true;
}

/** Removes words that no message has, and lowers the numbers of the others. */
async function forgetSome(
  deps: Pick<Deps, 'db'>,
  session: IndexSession,
  workspaceId: string,
  counted: { word: string; seen: number }[],
): Promise<void> {
  const db = acrossWorkspaces(deps, 'one process keeps the vocabularies of all workspaces');
  const words = counted.map(({ word }) => word);
  const used = new Set(await findUsed(deps, workspaceId, words));
  const unused = words.filter((word) => !used.has(word));
  const { rows } = await sql<{ has_lease: boolean }>`
    with lease as materialized (select from leases where name = 'search' and holder = ${session.holder} for share),
      removed as (delete from search_words where exists (select from lease) and workspace_id = ${workspaceId} and word = any(${unused})
        returning word),
      shrunk as (
        update search_workspaces set known_words = greatest(0, known_words - (select count(*)::int from removed))
          where workspace_id = ${workspaceId} and exists (select from removed)),
      lowered as (update search_words w set n = greatest(1, w.n - c.seen)
        from unnest(${words}::text[], ${counted.map(({ seen }) => seen)}::int[]) c(word, seen)
        where exists (select from lease) and w.workspace_id = ${workspaceId} and w.word = c.word and c.word <> all(${unused}))
    select exists (select from lease) as has_lease`.execute(db);
  if (!rows[0]?.has_lease) throw new LeaseLost();
  session.thread.forget(workspaceId, words);
}

/**
 * Returns those of the words that a message of the workspace has. A common word is found in the newest buckets or in their block, where the
 * index has few entries to compare. Only the others are looked up in the whole workspace.
 */
async function findUsed(deps: Pick<Deps, 'db'>, workspaceId: string, words: string[]): Promise<string[]> {
  const db = acrossWorkspaces(deps, 'one process keeps the vocabularies of all workspaces');
  const { rows: newest } = await sql<{ number: number; block: number }>`
    select number, block from search_buckets where workspace_id = ${workspaceId} order by bucket desc limit 2`.execute(
    db,
  );
  const places = [
    newest.map(({ number }) => `'@b${number.toString(36)}'`),
    newest.slice(0, 1).map(({ block }) => `'@k${block.toString(36)}'`),
    [`'@w${workspaceId}'`],
  ];
  const used: string[] = [];
  for (const place of places.filter(({ length }) => length > 0)) {
    const left = words.filter((word) => !used.includes(word));
    if (left.length === 0) break;
    const queries = left.map((word) => `(${place.join(' | ')}) & ${quoteLexeme(word)}`);
    const { rows } = await sql<{ word: string }>`
      select word from unnest(${left}::text[], ${queries}::text[]) w(word, query) where exists (
        select from search_messages m where m.words @@ query::tsquery)`.execute(db);
    used.push(...rows.map(({ word }) => word));
  }
  return used;
}

function quoteLexeme(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

type BackfillDeps = Pick<Deps, 'db' | 'log' | 'clock' | 'wakeups'>;

/** Notes workspaces from before the index: all their messages so far are to be indexed. */
export async function noteOldWorkspaces(deps: BackfillDeps): Promise<void> {
  await sql`insert into search_workspaces (workspace_id, backfill_before)
    select id, ${firstIdAt('msg', deps.clock.now())} from workspaces w
    where w.deleted_at is null and not exists (select from search_workspaces s where s.workspace_id = w.id) on conflict do nothing`.execute(
    acrossWorkspaces(deps, 'the mail of all workspaces is indexed'),
  );
}

/**
 * Indexes the next batch of messages from before the index, the newest of all workspaces first. Returns how many were written, and null
 * once all workspaces are complete.
 */
export async function backfillNext(
  deps: BackfillDeps,
  session: IndexSession,
  size: BatchSize,
): Promise<number | null> {
  const db = acrossWorkspaces(deps, 'the mail of all workspaces is indexed');
  const [next] = await selectNext({ db }, {});
  if (!next) return null;
  const { workspace_id: workspaceId, backfill_before: before } = next;
  const page = await selectPage({ db }, { workspaceId, before, messages: size.messages });
  const left = page.filter((message) => !message.is_known).map(({ id }) => id);
  const rows = left.length > 0 ? await readOld(deps, workspaceId, left, size.bytes) : [];
  const isEnd = page.length < size.messages;
  const to =
    rows.length < left.length ? (rows.at(-1)?.message_id ?? '') : isEnd ? '' : (page.at(-1)?.id ?? '');
  const there = rows.filter(isThere);
  if (there.length > 0) return indexDocuments(deps, session, there, to);
  await db
    .updateTable('search_workspaces')
    .set({ backfill_before: to || null })
    .where('workspace_id', '=', workspaceId)
    .where('backfill_before', '=', before)
    .execute();
  return 0;
}

const selectNext = prepared((db, _values: object) =>
  sql<{
    workspace_id: string;
    backfill_before: string;
  }>`select workspace_id, backfill_before from search_workspaces
    where backfill_before is not null order by backfill_before desc limit 1`.compile(db),
);

const selectPage = prepared(
  (db, { workspaceId, before, messages }: { workspaceId: string; before: string; messages: number }) =>
    sql<{ id: string; is_known: boolean }>`
      select m.id, exists (select from search_messages s where s.workspace_id = m.workspace_id and s.message_id = m.id)
        or exists (select from search_pending p where p.workspace_id = m.workspace_id and p.message_id = m.id) as is_known
      from messages m where m.workspace_id = ${workspaceId} and m.id < ${before} order by m.id desc limit ${messages}`.compile(
      db,
    ),
);
