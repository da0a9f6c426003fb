import { isUnavailable } from '../db/database-errors.ts';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { findOriginal } from '../messages/originals.ts';
import type { MessageRow } from '../messages/store/message-record.ts';
import { type ClaimedMessage, patienceMs, putBack } from './claim-unparsed.ts';
import { fillIn, giveUp } from './fill-in.ts';
import { inboundRecord } from './inbound-record.ts';
import { readInbound } from './read-inbound.ts';

/** How often the parsing of a mail may be cut off by the end of its process before the mail counts as the cause. */
const attemptsMax = 5;

/**
 * Parses a claimed message and fills in what its mail has besides the header, with one event. If the parser does not get to it in time, the
 * message is due again. A mail that takes too much stays as it is, and the event says so.
 *
 * @throws Error if the database or a file cannot be read for now; the message is then due again, too.
 */
export async function parseAgain(
  deps: Deps,
  claimed: ClaimedMessage,
  maxMs: number = patienceMs(deps),
): Promise<void> {
  try {
    await parseClaimed(deps, claimed, Math.min(maxMs, patienceMs(deps)));
  } catch (error) {
    await putBack(deps, claimed, { isAttempt: !isUnavailable(error) });
    throw error;
  }
}

async function parseClaimed(deps: Deps, claimed: ClaimedMessage, maxMs: number): Promise<void> {
  const ctx = { ...deps, workspaceId: claimed.workspace_id, scope: wholeWorkspace };
  const message = await findRow(ctx, claimed.message_id);
  // Its rows go together.
  if (!message) return;
  const raw = claimed.attempts > attemptsMax ? null : await findOriginal(deps, message);
  if (!raw) return giveUp(ctx, claimed);
  const mail = await readInbound(deps, { raw, ...senderOf(message, claimed) }, message.created_at, maxMs);
  if (mail.state === 'unparsed') return putBack(deps, claimed, { isAttempt: false });
  if (mail.state === 'unparsable') return giveUp(ctx, claimed);
  const inbox = { workspaceId: message.workspace_id, inboxId: message.inbox_id };
  const target = { inbox, given: message.envelope_to, messageId: message.id };
  await fillIn(ctx, claimed, inboundRecord(deps, mail, target));
}

function findRow(
  ctx: Parameters<typeof scoped>[0] & { scope: typeof wholeWorkspace },
  id: string,
): Promise<MessageRow | undefined> {
  return scoped(ctx).selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Without an address the sender is not checked, since the first check had its result. */
function senderOf(message: MessageRow, { remote_address, helo }: ClaimedMessage) {
  const { envelope_from, authentication, inbox_id } = message;
  const isUnsure = Object.values(authentication ?? {}).includes('temperror');
  return {
    envelopeFrom: envelope_from ?? '',
    helo,
    remoteAddress: isUnsure ? remote_address : null,
    owner: inbox_id,
  };
}
