import type { Message } from '@postrider/contract';
import type { Approval } from '@postrider/contract/console';
import type { Context } from '../context.ts';
import { type RowsContext, scoped } from '../db/scoped.ts';
import { isApiError } from '../lib/api-error.ts';
import { sha256 } from '../lib/crypto/bytes.ts';
import { markDirections } from '../lib/texts.ts';
import { isOwnField } from '../mail/compose/header-fields.ts';
import { readHeaderFields } from '../mail/parse/read-header-fields.ts';
import { readHeaderText } from '../mail/parse/read-mailboxes.ts';
import { viewMessage } from '../messages/message.view.ts';
import { type MessageDetails, readMessage } from '../messages/message-details.ts';
import { linkToRaw } from '../messages/raw-link.ts';
import { parseFiles, readRaw } from '../messages/raw-source.ts';
import { correspondentsOf } from './correspondents.ts';
import { getSummary } from './list-approvals.ts';

const headerValueCharactersMax = 4_000;

/**
 * Returns all that people see before they decide about a message: exactly what would go out, to whom, what it answers, and what is proven
 * about its recipients.
 *
 * @throws ApiError `not_found`, also for a message that needed no approval.
 */
export function readApproval(ctx: Context, messageId: string): Promise<Approval> {
  return ctx.readLimiter.run(ctx.workspaceId, () => read(ctx, messageId));
}

async function read(ctx: Context, messageId: string): Promise<Approval> {
  const summary = await getSummary(ctx, messageId);
  const details = await readMessage(ctx, messageId);
  const { row, recipients } = details;
  const bytes = await readRaw(ctx, row);
  const [raw, answered, files] = await Promise.all([
    linkToRaw(ctx, messageId),
    findAnswered(ctx, details),
    row.has_attachments ? parseFiles(ctx, bytes, row.inbox_id) : [],
  ]);
  const addresses = recipients.map(({ address }) => address);
  return {
    ...summary,
    message: withMarks(viewMessage(ctx, details, 'whole')),
    raw,
    headers: headersOf(bytes),
    attachment_hashes: files.map(({ content }) => sha256(content).toString('hex')),
    answers: answered && withMarks(viewMessage(ctx, answered, 'cut')),
    correspondents: await correspondentsOf(ctx, row, addresses, {
      raw: bytes,
      answered: answered?.row ?? null,
    }),
  };
}

function withMarks(message: Message): Message {
  const { subject, from_name } = message;
  return {
    ...message,
    subject: markDirections(subject),
    from_name: from_name === null ? null : markDirections(from_name),
  };
}

/** Returns the header fields of a mail with encoded words decoded, each on one line. */
export function headersOf(raw: Buffer): Approval['headers'] {
  return readHeaderFields(raw).map(({ name, value }) => ({
    name,
    value: markDirections(readHeaderText(value, headerValueCharactersMax)),
    is_added: !isOwnField(name),
  }));
}

/** Returns the message of the inbox that a message names in In-Reply-To; null if there is none. */
export async function findAnswered(
  ctx: RowsContext,
  { row }: MessageDetails,
): Promise<MessageDetails | null> {
  if (row.in_reply_to === null) return null;
  const named = await scoped(ctx)
    .selectFrom('message_ids')
    .select('message_id')
    .where('inbox_id', '=', row.inbox_id)
    .where('hash', '=', sha256(row.in_reply_to))
    .orderBy('message_id')
    .limit(1)
    .executeTakeFirst();
  if (!named) return null;
  return readMessage(ctx, named.message_id).catch((error: unknown) => {
    if (isApiError(error, 'not_found')) return null;
    throw error;
  });
}
