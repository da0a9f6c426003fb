import type { SendDraft } from '@postrider/contract';
import type { Context } from '../context.ts';
import { ApiError, isApiError } from '../lib/api-error.ts';
import { getMessage } from '../messages/find-message.ts';
import { replay } from '../outbound/idempotency.ts';
import type { Sent } from '../outbound/sent-message.view.ts';
import { ClaimLost } from '../outbound/store-claimed.ts';
import { type DraftRow, getDraft } from './find-draft.ts';
import { sendDraftNow } from './send-draft-now.ts';

/**
 * Sends a draft now. If it was already sent with this `client_id`, the first result is returned again. A draft that is refused does not
 * change.
 *
 * @throws ApiError as `sendDraftNow`, `not_found`, and `draft_already_sent` if it was sent at its scheduled time or by another request.
 */
export async function sendDraft(ctx: Context, id: string, input: SendDraft): Promise<Sent> {
  const { client_id: clientId = null } = input;
  for (;;) {
    const draft = await getDraft(ctx, id);
    if (draft.status === 'sending' || draft.status === 'sent') return repeat(ctx, draft, clientId);
    try {
      return await sendDraftNow(ctx, draft, { clientId, atItsTime: false });
    } catch (error) {
      // Another request has changed or sent the draft, so the loop makes progress.
      if (!(error instanceof ClaimLost)) throw error;
    }
  }
}

async function repeat(ctx: Context, draft: DraftRow, clientId: string | null): Promise<Sent> {
  if (clientId === null || draft.message_id === null) throw new ApiError('draft_already_sent');
  const message = await getMessage(ctx, draft.message_id, 'client_id').catch((error: unknown) => {
    // Its message was deleted since, and the `client_id` with it.
    if (isApiError(error, 'not_found')) throw new ApiError('draft_already_sent');
    throw error;
  });
  if (message.client_id !== clientId) throw new ApiError('draft_already_sent');
  return replay(ctx, message.id, { inboxId: draft.inbox_id, clientId });
}
