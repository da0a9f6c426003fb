import type { RawMessage } from '@postrider/contract';
import { linkExpiry } from '../attachments/attachment.view.ts';
import type { Context } from '../context.ts';
import { signFileUrl } from '../files/signed-url.ts';
import { getMessage } from './find-message.ts';

/**
 * Returns a signed link to the original of a message.
 *
 * @throws ApiError `not_found`.
 */
export async function linkToRaw(ctx: Context, id: string): Promise<RawMessage> {
  const message = await getMessage(ctx, id);
  const expiresAt = linkExpiry(ctx);
  return {
    url: signFileUrl(ctx.address.filesUrl, ctx.keys, {
      workspaceId: ctx.workspaceId,
      fileId: message.id,
      expiresAt,
    }),
    expires_at: expiresAt.toISOString(),
    size_bytes: message.size_bytes,
  };
}
