import type { SendDraft } from '@postrider/contract';
import type { Context } from '../context.ts';
import { ApiError, isApiError } from '../lib/api-error.ts';
import { getMessage } from '../messages/find-message.ts';
import { replay } from '../outbound/idempotency.ts';
import type { Sent } from '../outbound/sent-message.view.ts';
import { ClaimLost } from '../outbound/store-claimed.ts';
import { type DraftRow, getDraft } from './find-draft.ts';
import { postDraft } from './post-draft.ts';

/**
 * Sends a draft now; one that was sent with this `client_id` is answered as a repeat. A draft that is refused stays as it was.
 *
 * @throws ApiError as `postDraft`, `not_found`, and `draft_already_sent` for one that was sent by its time or another request.
 */
export const sendDraft = async (ctx: Context, id: string, input: SendDraft): Promise<Sent> => {
  const { client_id: clientId = null } = input;
  for (;;) {
    const draft = await getDraft(ctx, id);
    if (draft.status === 'sending' || draft.status === 'sent') return repeat(ctx, draft, clientId);
    try {
      return await postDraft(ctx, draft, { clientId, atItsTime: false });
    } catch (error) {
      // Somebody else got something done, so that this ends.
      if (!(error instanceof ClaimLost)) throw error;
    }
  }
};

const repeat = async (ctx: Context, draft: DraftRow, clientId: string | null): Promise<Sent> => {
  if (clientId === null || draft.message_id === null) throw new ApiError('draft_already_sent');
  const message = await getMessage(ctx, draft.message_id, 'client_id').catch((error: unknown) => {
    // What it became was deleted since, and its `client_id` with it.
    if (isApiError(error, 'not_found')) throw new ApiError('draft_already_sent');
    throw error;
  });
  if (message.client_id !== clientId) throw new ApiError('draft_already_sent');
  return replay(ctx, message.id);
};
