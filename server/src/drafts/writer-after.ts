import type { UpdateDraft } from '@postrider/contract';
import type { Context } from '../context.ts';
import type { DraftRow } from './find-draft.ts';

/**
 * Returns the writer of a draft after a change. If that is a key, its policy holds for the draft, also if somebody else sends it.
 *
 * A key that changes content becomes the writer. A person becomes the writer by replacing the whole body of the draft in the state that
 * they saw. Otherwise a key could put its own text, files or recipients under the name of a person who is editing the draft.
 */
export function writerAfter(
  { actor }: Pick<Context, 'actor'>,
  before: DraftRow,
  change: UpdateDraft,
): string | null {
  const isWriter =
    actor.kind === 'person' ? setsBody(before, change) && isOfSeen(before, change) : setsContent(change);
  return isWriter ? actor.id : before.writer_id;
}

function setsContent({ metadata, scheduled_at, seen_updated_at, ...content }: UpdateDraft): boolean {
  return Object.values(content).some((value) => value !== undefined);
}

/** Returns whether a change sets every part of the body that the draft has. */
function setsBody({ body_text, body_html }: DraftRow, { text, html }: UpdateDraft): boolean {
  const leavesText = text === undefined && body_text !== null;
  const leavesHtml = html === undefined && body_html !== null;
  return (text !== undefined || html !== undefined) && !leavesText && !leavesHtml;
}

function isOfSeen({ updated_at }: DraftRow, { seen_updated_at }: UpdateDraft): boolean {
  return seen_updated_at !== undefined && Date.parse(seen_updated_at) === updated_at.getTime();
}
