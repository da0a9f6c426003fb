import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { wait } from '../lib/wait.ts';
import type { Backlog } from './backlog.ts';
import { findOriginal } from './originals.ts';
import type { SpooledEnvelope } from './spool-mail.ts';

const lookAgainMs = 2_000;
/** Who spooled a mail makes a message of it long before; two that do it at once make one message, too. */
const strandedAfterMs = 30_000;
const pageMails = 100;

/**
 * Finds acknowledged mail that no process has on its way: at once what is there at the start, and from then on what processes
 * left that ended. Answers what stops it.
 */
export const startSpoolRecovery = (deps: Deps, backlog: Backlog): (() => Promise<void>) => {
  const stop = new AbortController();
  const loop = async () => {
    for (let afterMs = 0; !stop.signal.aborted; afterMs = strandedAfterMs) {
      const before = new Date(deps.clock.now().getTime() - afterMs);
      await recover(deps, backlog, before, stop.signal).catch((error: unknown) =>
        deps.log.error({ err: error }, 'the spool was not searched for stranded mail'),
      );
      await wait(lookAgainMs, stop.signal);
    }
  };
  const ended = loop();
  return async () => {
    stop.abort();
    await ended;
  };
};

const recover = async (deps: Deps, backlog: Backlog, before: Date, stopped: AbortSignal): Promise<void> => {
  for (let last = ''; !stopped.aborted; ) {
    const page = await acrossWorkspaces(deps, 'a mail may be for several workspaces')
      .selectFrom('spooled_mail')
      .selectAll()
      .where('at', '<=', before)
      .where('id', '>', last)
      .orderBy('id')
      .limit(pageMails)
      .execute();
    for (const envelope of page.filter(({ id }) => !backlog.has(id))) await takeUp(deps, backlog, envelope);
    if (page.length < pageMails) return;
    last = page.at(-1)?.id ?? '';
  }
};

const takeUp = async (deps: Deps, backlog: Backlog, envelope: SpooledEnvelope): Promise<void> => {
  await backlog.room();
  const raw = await findBytes(deps, envelope);
  if (raw) return backlog.add({ envelope, raw });
  // The bytes go with their inbox, and without them there is nothing left to do.
  deps.log.warn({ messageId: envelope.id }, 'a mail in the spool has no original');
  await acrossWorkspaces(deps, 'a mail may be for several workspaces')
    .deleteFrom('spooled_mail')
    .where('id', '=', envelope.id)
    .execute();
};

/** Every inbox that takes the mail has the same bytes, but one that was gone already has none. */
const findBytes = async (deps: Deps, { targets }: SpooledEnvelope): Promise<Buffer | null> => {
  for (const { workspace_id, inbox_id, message_id } of targets) {
    const raw = await findOriginal(deps, { workspace_id, inbox_id, id: message_id });
    if (raw) return raw;
  }
  return null;
};
