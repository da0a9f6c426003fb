import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { RowsContext } from '../../db/scoped.ts';
import { createBreather } from '../../lib/concurrency/wait.ts';
import { htmlToPlainText } from '../../mail/parse/html-to-plain-text.ts';
import { fillLarge, selectListedByIds } from '../../messages/listed-messages.ts';
import { loadDetails, type MessageDetails } from '../../messages/message-details.ts';
import { type TermFinder, termFinder } from '../text/find-terms.ts';
import { type Highlight, highlight } from '../text/highlight.ts';
import type { QueryTerm } from '../text/query-terms.ts';
import type { PlacedHit } from './find-hits.ts';
import { scoreMax } from './score.ts';
import type { Position } from './search-cursor.ts';

/** The amount of one file, and of all files of a page, that is searched. */
const textCharacters = { perFile: 100_000, perPage: 600_000 };

/** A hit as a page shows it. */
export interface SearchHit {
  details: MessageDetails;
  /** From 0 to 1. */
  score: number;
  /** The text around the match, with marks. */
  snippet: string;
  /** The files whose name or text has words of the query. */
  attachmentIds: string[];
  /** The place where the search continues after it. */
  position: Position;
}

/** The text of HTML for which there is time. */
const htmlReadMax = 16_384;
/** The characters of messages that a page looks through. Beyond that, only the beginning of each text is. */
const readMax = { perPage: 1_000_000, beginning: 4_000 };

/** Returns the messages of hits, in their order, as many as a response holds. `isCut` says that there were more. */
export async function readHits(
  ctx: Context,
  placed: PlacedHit[],
  terms: QueryTerm[],
): Promise<{ hits: SearchHit[]; isCut: boolean }> {
  if (placed.length === 0) return { hits: [], isCut: false };
  const ids = placed.map(({ id }) => id);
  const listed = await selectListedByIds(ctx, ids);
  const byId = new Map(listed.map((row) => [row.id, row]));
  const { rows, lastId } = await fillLarge(
    ctx,
    ids.flatMap((id) => byId.get(id) ?? []),
  );
  const details = await loadDetails(ctx, rows);
  const withFiles = details.filter(({ attachments }) => attachments.length > 0);
  const texts = await readFileTexts(
    ctx,
    withFiles.map(({ row }) => row.id),
  );
  const finder = termFinder(terms);
  const breathe = createBreather();
  const hits: SearchHit[] = [];
  let left = readMax.perPage;
  const take = (text: string) => {
    const some = text.slice(0, Math.max(left, readMax.beginning));
    left -= some.length;
    return some;
  };
  for (const message of details) {
    const hit = placed.find(({ id }) => id === message.row.id);
    const shown = await describe(message, finder, { fileTexts: texts, take, breathe });
    if (hit) hits.push({ ...shown, score: hit.score / scoreMax, position: hit.position });
  }
  return { hits, isCut: lastId !== null };
}

interface Reading {
  fileTexts: Map<string, string>;
  /** Returns the part of a text that is searched. */
  take(text: string): string;
  breathe: ReturnType<typeof createBreather>;
}

/** Returns the message with what shows why it was found: in its own texts, else in that of a file. */
async function describe(
  details: MessageDetails,
  terms: TermFinder,
  { fileTexts, take, breathe }: Reading,
): Promise<Pick<SearchHit, 'details' | 'snippet' | 'attachmentIds'>> {
  const attachmentIds: string[] = [];
  const inFiles: Highlight[] = [];
  for (const { id, filename } of details.attachments) {
    const inText = highlight(fileTexts.get(id) ?? '', terms);
    if (inText.matched) inFiles.push(inText);
    if (inText.matched || highlight(filename, terms).matched) attachmentIds.push(id);
    await breathe();
  }
  const inTexts: Highlight[] = [];
  for (const text of shownTexts(details)) {
    inTexts.push(highlight(take(text), terms));
    await breathe();
    if (inTexts.at(-1)?.matched) break;
  }
  const shown = inTexts.find(({ matched }) => matched) ?? inFiles[0] ?? inTexts[0];
  return { details, snippet: shown?.snippet ?? '', attachmentIds };
}

/** Returns the texts that a reader would look through, first the new one of the message. */
function shownTexts({ row }: MessageDetails): string[] {
  const { extracted_text: extracted, body_text: body, body_html: html, subject } = row;
  const whole = body ?? (html === null ? '' : htmlToPlainText(html.slice(0, htmlReadMax)));
  return [...new Set([extracted ?? whole, whole, subject])];
}

/**
 * Returns the beginnings of the texts of files that search knows, by the ids of the files. The first messages come first, and what does
 * not fit is left out.
 */
async function readFileTexts(ctx: RowsContext, messageIds: string[]): Promise<Map<string, string>> {
  if (messageIds.length === 0) return new Map();
  const { perFile, perPage } = textCharacters;
  const { rows } = await sql<{ id: string; text: string }>`
    select attachment_id as id, left(text, ${perFile}) as text from (
      select attachment_id, text, sum(least(octet_length(text), ${perFile}::int)) over (order by place, attachment_id
        rows between unbounded preceding and 1 preceding) as before from (
        select attachment_id, text, array_position(${messageIds}::text[], message_id) as place from attachment_texts
        where workspace_id = ${ctx.workspaceId} and message_id = any(${messageIds}::text[]) and text is not null) as own) as sized
    where coalesce(before, 0) < ${perPage}`.execute(ctx.db);
  return new Map(rows.map(({ id, text }) => [id, text]));
}
