import type { ListedMessage, MessagePage } from '@postrider/contract';
import type { LinkDeps } from '../../attachments/attachment.view.ts';
import { encodeCursor } from '../../lib/cursor.ts';
import { fitPage } from '../../lib/fit-answer.ts';
import { viewMessage } from '../../messages/message.view.ts';
import type { SearchHit } from './search-hit.ts';
import type { SearchOutcome, SearchPage } from './search-messages.ts';

const scoreDigits = 4;

/** Returns a message that was found as the API shows it. */
export function viewHit(
  deps: LinkDeps,
  { details, score, snippet, attachmentIds }: SearchHit,
): ListedMessage {
  return {
    ...viewMessage(deps, details, 'cut'),
    snippet,
    score: Number(score.toFixed(scoreDigits)),
    ...(attachmentIds.length > 0 && { matched_attachments: attachmentIds }),
  };
}

/** Returns how a search ran as the API shows it. */
export function viewOutcome({ modeUsed, fallbackReason, rankedWithin }: SearchOutcome) {
  return {
    mode_used: modeUsed,
    ...(fallbackReason && { fallback_reason: fallbackReason }),
    ...(rankedWithin && { ranked_within: rankedWithin.toISOString() }),
  };
}

/** Returns a page of hits. It ends early if the response would become too large. */
export async function viewSearch(deps: LinkDeps, page: SearchPage): Promise<MessagePage> {
  const { hits, next, keysAt } = page;
  const nextCursor = next && encodeCursor(keysAt(next));
  const rows = { rows: hits, nextCursor };
  const { items, nextCursor: cursor } = await fitPage(
    rows,
    (hit) => viewHit(deps, hit),
    ({ position }) => keysAt(position),
  );
  return { messages: items, next_cursor: cursor, ...viewOutcome(page) };
}
