import type { Caller } from '../context.ts';
import { isUnavailable } from '../db/database-errors.ts';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { wait, waitFor } from '../lib/concurrency/wait.ts';
import { nothingDue, startLoop } from '../lib/concurrency/worker-loop.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { getMessage } from '../messages/find-message.ts';
import { findOriginal } from '../messages/originals.ts';
import type { MessageRow } from '../messages/store/message-record.ts';
import {
  type ClaimedMessage,
  claimMessage,
  claimNext,
  isQueued,
  patienceMs,
  putBack,
  untilNextMs,
} from './claim-unparsed.ts';
import { fillIn, giveUp } from './fill-in.ts';
import { inboundRecord, isUnparsed, readInbound } from './inbound-mail.ts';

/**
 * Parses the messages whose mail could not be parsed in time, one after another. Any number of processes may run it. Returns a function
 * that stops it; a message that is being parsed is then due for other processes and the next start.
 */
export function startParsingAgain(deps: Deps): () => Promise<void> {
  let after = '';
  const look = async (stopped: AbortSignal): Promise<number> => {
    const dueInMs = await untilNextMs(deps);
    if (dueInMs > 0) return dueInMs;
    const claimed = await claimNext(deps, after);
    after = claimed?.workspace_id ?? '';
    if (!claimed) return nothingDue;
    const parsed = parseAgain(deps, claimed);
    await waitFor(parsed, 2 * patienceMs(deps), stopped);
    if (!stopped.aborted) return 0;
    parsed.catch(() => {});
    await putBack(deps, claimed, { isAttempt: false, isDueNow: true });
    return nothingDue;
  };
  const loop = startLoop({
    look,
    onError: (error) => deps.log.error({ err: error }, 'an email was not parsed again'),
    lookAgainMs: deps.lookAgainMs,
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake, 'unparsed');
  return async () => {
    unlisten();
    await loop.stop();
  };
}

/** The time for which a request waits for the mail that it needs. */
const waitMs = 20_000;
const lookAgainMs = 200;

type RequireContext = Deps & Pick<Caller, 'workspaceId' | 'scope'>;

/**
 * Returns a message of the caller with the text and files of its mail. A mail that is still to be parsed is parsed now, whatever else
 * waits. One that takes too much to be parsed is returned with its header alone.
 *
 * @throws ApiError `not_found`, `unavailable` if the machine does not get to it in time.
 */
export async function requireParsed(ctx: RequireContext, id: string): Promise<MessageRow> {
  const until = performance.now() + ctx.timeScale.scaleMs(waitMs);
  for (;;) {
    const message = await getMessage(ctx, id);
    if (!isUnparsed(message) || !(await isQueued(ctx, message.id))) return message;
    const leftMs = until - performance.now();
    if (leftMs <= 0 || ctx.stopping.aborted) throw notYet();
    const claimed = await claimMessage(ctx, message.id);
    if (claimed) await parseAgain(ctx, claimed, leftMs);
    else await wait(Math.min(lookAgainMs, leftMs), ctx.stopping);
  }
}

function notYet() {
  return new ApiError(
    'unavailable',
    {},
    {
      message: 'The server has not parsed this mail yet. Try again.',
      headers: { 'retry-after': '5' },
    },
  );
}

/** The number of times that the parsing of a mail can be interrupted by the end of its process before the mail counts as the cause. */
const attemptsMax = 5;

/**
 * Parses a claimed message and fills in everything that its mail has besides the header, with one event. If the parser does not get to it
 * in time, the message is due again. A mail that takes too many resources is left as it is, and the event says so.
 *
 * @throws Error if the database or a file cannot be read right now; the message is then due again, too.
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
  const mail = await readInbound(
    deps,
    { raw, ...originalSender(message, claimed) },
    message.created_at,
    maxMs,
  );
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
function originalSender(message: MessageRow, { remote_address, helo }: ClaimedMessage) {
  const { envelope_from, authentication, inbox_id } = message;
  const isUnsure = Object.values(authentication ?? {}).includes('temperror');
  return {
    envelopeFrom: envelope_from ?? '',
    helo,
    remoteAddress: isUnsure ? remote_address : null,
    owner: inbox_id,
  };
}
