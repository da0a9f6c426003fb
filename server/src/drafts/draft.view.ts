import type { Draft } from '@postrider/contract';
import { type LinkDeps, viewAttachment } from '../attachments/attachment.view.ts';
import { fitPage } from '../lib/fit-answer.ts';
import type { Page } from '../lib/page.ts';
import type { DraftDetails } from './find-draft.ts';

/** Returns a draft as the API shows it, with fresh links to its files. */
export function viewDraft(deps: LinkDeps, { row, files }: DraftDetails): Draft {
  return {
    id: row.id,
    inbox_id: row.inbox_id,
    to: row.to_addrs,
    cc: row.cc_addrs,
    bcc: row.bcc_addrs,
    subject: row.subject,
    text: row.body_text,
    html: row.body_html,
    attachments: files.map((file) => viewAttachment(deps, file)),
    reply_to_message_id: row.reply_to_message_id,
    metadata: row.metadata,
    scheduled_at: row.scheduled_at?.toISOString() ?? null,
    status: row.status,
    message_id: row.message_id,
    failure: failureOf(row),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Returns a page of drafts. It ends early if the response would become too large, since bodies are shown whole. */
export async function viewDrafts(
  deps: LinkDeps,
  page: Page<DraftDetails>,
): Promise<{ drafts: Draft[]; next_cursor: string | null }> {
  const { items, nextCursor } = await fitPage(
    page,
    (draft) => viewDraft(deps, draft),
    ({ row }) => [row.id],
  );
  return { drafts: items, next_cursor: nextCursor };
}

function failureOf({ status, message_id, failure }: DraftDetails['row']): string | null {
  return status === 'failed' && message_id !== null ? 'message_rejected' : failure;
}
