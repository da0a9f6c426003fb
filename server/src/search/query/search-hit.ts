import type { Context } from '../../context.ts';
import { createBreather } from '../../lib/concurrency/breather.ts';
import { htmlToPlainText } from '../../mail/parse/html-to-plain-text.ts';
import { liveMessages } from '../../messages/find-message.ts';
import { fillLarge, selectListed } from '../../messages/listed-messages.ts';
import { loadDetails, type MessageDetails } from '../../messages/message-details.ts';
import { highlight } from '../text/highlight.ts';
import type { QueryTerm } from '../text/parsed-query.ts';
import type { Found } from './find-hits.ts';
import { scoreMax } from './score.ts';
import type { Position } from './search-cursor.ts';

/** A message that was found. */
export interface SearchHit {
  details: MessageDetails;
  /** From 0 to 1. */
  score: number;
  /** The text around what was found, with marks. */
  snippet: string;
  /** The files whose name or text has words of the query. */
  attachmentIds: string[];
  /** Where the search continues after it. */
  position: Position;
}

/** The text of HTML for which there is time. */
const htmlReadMax = 16_384;

/** Returns the messages that were found, in their order, as many as a response holds. `isCut` says that it holds no more. */
export async function readHits(
  ctx: Context,
  found: Found[],
  terms: QueryTerm[],
): Promise<{ hits: SearchHit[]; isCut: boolean }> {
  if (found.length === 0) return { hits: [], isCut: false };
  const ids = found.map(({ id }) => id);
  const listed = await selectListed(liveMessages(ctx).where('messages.id', 'in', ids));
  const byId = new Map(listed.map((row) => [row.id, row]));
  const { rows, lastId } = await fillLarge(
    ctx,
    ids.flatMap((id) => byId.get(id) ?? []),
  );
  const details = await loadDetails(ctx, rows);
  const breathe = createBreather();
  const hits: SearchHit[] = [];
  for (const message of details) {
    const one = found.find(({ id }) => id === message.row.id);
    if (one) hits.push({ ...describe(message, terms), score: one.score / scoreMax, position: one.position });
    await breathe();
  }
  return { hits, isCut: lastId !== null };
}

/** Returns the message with what shows why it was found. */
function describe(
  details: MessageDetails,
  terms: QueryTerm[],
): Pick<SearchHit, 'details' | 'snippet' | 'attachmentIds'> {
  const found = textsOf(details).map((text) => highlight(text, terms));
  const snippet = (found.find(({ matched }) => matched) ?? found[0])?.snippet ?? '';
  const named = details.attachments.filter(({ filename }) => highlight(filename, terms).matched);
  return { details, snippet, attachmentIds: named.map(({ id }) => id) };
}

/** What a reader would look through, first what is new in the message. */
function textsOf({ row }: MessageDetails): string[] {
  const { extracted_text: extracted, body_text: body, body_html: html, subject } = row;
  const whole = body ?? (html === null ? '' : htmlToPlainText(html.slice(0, htmlReadMax)));
  return [...new Set([extracted ?? whole, whole, subject])];
}
