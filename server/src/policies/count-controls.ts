import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { prepared } from '../db/prepared.ts';
import { beginningOf, capsOf } from './caps.ts';
import type { Controls, StoredControls } from './controls.ts';

/** A send whose caps are counted. */
export interface ControlledSend {
  inboxId: string;
  addresses: string[];
  /** Its thread, or the hashes of the Message-IDs by which that is found. */
  thread: { thread_id: string | null; named: string[] };
  at: Date;
}

/** The counts and recipients that policies ask for. */
interface Counts {
  thread_id: string | null;
  /** In the order in which they were asked for. */
  sent: number[];
  known: string[] | null;
}

/**
 * Returns what people have set for a send, with what counts for their caps. A send without a policy that asks for it takes no round trip.
 */
export async function countControls(
  ctx: Context,
  { inboxId, addresses, thread, at }: ControlledSend,
  stored: StoredControls,
): Promise<Controls> {
  const { policies } = stored;
  const caps = capsOf(policies, addresses);
  // Nothing counts for a thread that the message begins.
  const joins = thread.thread_id !== null || thread.named.length > 0;
  const counted = caps.filter(({ kind }) => kind !== 'thread' || joins);
  const asks_known = policies.some(({ lines }) => lines.recipients === 'known');
  if (!asks_known && counted.length === 0) return { ...stored, caps, threadId: null, known: null };
  const asked = {
    workspace_id: ctx.workspaceId,
    inbox_id: inboxId,
    asks_known,
    ...(asks_known && { addresses }),
    caps: counted.map((cap) => [cap.subject, beginningOf(cap, ctx, at), cap.most]),
    ...(counted.some(({ kind }) => kind === 'thread') && thread),
  };
  const [{ counts } = { counts: null }] = await selectCounts(ctx, { asked: JSON.stringify([asked]) });
  for (const [n, cap] of counted.entries()) cap.sent = counts?.sent[n] ?? 0;
  return { ...stored, caps, threadId: counts?.thread_id ?? null, known: counts?.known ?? null };
}

const selectCounts = prepared((db, { asked }: { asked: string }) =>
  sql<{ counts: Counts | null }>`select counts from sending_counts(${asked}::jsonb)`.compile(db),
);
