import type { Context } from '../../context.ts';
import { createBreather } from '../../lib/concurrency/breather.ts';
import { htmlToPlainText } from '../../mail/parse/html-to-plain-text.ts';
import { fillLarge, selectListedByIds } from '../../messages/listed-messages.ts';
import { loadDetails, type MessageDetails } from '../../messages/message-details.ts';
import { type TermFinder, termFinder } from '../text/find-terms.ts';
import { type Highlight, highlight } from '../text/highlight.ts';
import type { QueryTerm } from '../text/parsed-query.ts';
import { readFileTexts } from './file-texts.ts';
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
/** The characters of messages that a page looks through. Beyond that, only the beginning of each text is. */
const readMax = { perPage: 1_000_000, beginning: 4_000 };

/** Returns the messages that were found, in their order, as many as a response holds. `isCut` says that it holds no more. */
export async function readHits(
  ctx: Context,
  found: Found[],
  terms: QueryTerm[],
): Promise<{ hits: SearchHit[]; isCut: boolean }> {
  if (found.length === 0) return { hits: [], isCut: false };
  const ids = found.map(({ id }) => id);
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
    const one = found.find(({ id }) => id === message.row.id);
    const shown = await describe(message, finder, { fileTexts: texts, take, breathe });
    if (one) hits.push({ ...shown, score: one.score / scoreMax, position: one.position });
  }
  return { hits, isCut: lastId !== null };
}

interface Reading {
  fileTexts: Map<string, string>;
  /** Returns as much of a text as is looked through. */
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
  for (const text of textsOf(details)) {
    inTexts.push(highlight(take(text), terms));
    await breathe();
    if (inTexts.at(-1)?.matched) break;
  }
  const shown = inTexts.find(({ matched }) => matched) ?? inFiles[0] ?? inTexts[0];
  return { details, snippet: shown?.snippet ?? '', attachmentIds };
}

/** What a reader would look through, first what is new in the message. */
function textsOf({ row }: MessageDetails): string[] {
  const { extracted_text: extracted, body_text: body, body_html: html, subject } = row;
  const whole = body ?? (html === null ? '' : htmlToPlainText(html.slice(0, htmlReadMax)));
  return [...new Set([extracted ?? whole, whole, subject])];
}
