import { limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { ApiError } from '../lib/api-error.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { type Controls, sendMode } from './controls.ts';

/**
 * Checks that a message which has to be approved is not one more than people can look through. Sends at the same moment may go beyond that
 * by as many as they are.
 *
 * @throws ApiError `limit_reached`.
 */
export async function requireRoomToHold(ctx: Context, controls: Controls): Promise<void> {
  if (sendMode(controls) !== 'approve') return;
  const limit = limits.heldMessagesPerWorkspaceMax;
  const last = await scoped({ ...ctx, scope: wholeWorkspace })
    .selectFrom('approvals')
    .select('message_id')
    .where('state', '=', 'held')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  if (last) throw new ApiError('limit_reached', { limit }, { message: tooMany });
}

const tooMany =
  'As many messages wait for approval as may, so this one was not stored. Wait until people have decided about some.';
