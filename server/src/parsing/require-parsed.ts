import type { Caller } from '../context.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { wait } from '../lib/concurrency/wait.ts';
import { getMessage } from '../messages/find-message.ts';
import type { MessageRow } from '../messages/store/message-record.ts';
import { claimMessage, isQueued } from './claim-unparsed.ts';
import { isUnparsed } from './inbound-record.ts';
import { parseAgain } from './parse-again.ts';

/** How long a request waits for the mail that it needs. */
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
      message: 'The server has not got to reading this mail yet: try again.',
      headers: { 'retry-after': '5' },
    },
  );
}
