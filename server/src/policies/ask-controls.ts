import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { prepared } from '../db/prepared.ts';
import { beginningOf, capsOf } from './caps.ts';
import { type Cap, type Controls, type ControlsRow, controlsOf, type StoredControls } from './controls.ts';
import { noteControls, recallControls, type SentBy } from './known-controls.ts';
import { hasToBeCounted, noteCounts } from './known-counts.ts';

/** A send whose controls are asked for. */
export interface ControlledSend {
  sentBy: Omit<SentBy, 'workspaceId'>;
  addresses: string[];
  /** Its thread, or the hashes of the Message-IDs by which that is found. */
  thread: { thread_id: string | null; named: string[] };
  at: Date;
}

/** What policies ask about a send. */
export interface Counts {
  thread_id: string | null;
  /** In the order in which they were asked for. */
  sent: number[];
  known: string[] | null;
}

/** The part of a look-up that is about what people have set. */
export interface ControlsLookUp {
  /** What the database is asked for. */
  asked: { actor: string | null; keys: string[]; version: string | null; counts?: object };
  /** Returns the controls by what the database answered. It has no `row` if what is remembered still holds. */
  read(answer: { row: ControlsRow | null; counts: Counts | null; hasInbox: boolean }): Promise<Controls>;
}

/**
 * Returns how to look up the controls of a send. If what people have set is not remembered, or has changed, counts take a round trip of their own.
 */
export function askControls(ctx: Context, send: ControlledSend): ControlsLookUp {
  const sentBy = { ...send.sentBy, workspaceId: ctx.workspaceId };
  const remembered = recallControls(ctx, sentBy);
  const askedAtMs = performance.now();
  const asking = remembered && askCounts(ctx, send, remembered);
  return {
    asked: {
      actor: sentBy.actorId,
      keys: sentBy.keys,
      version: remembered?.version ?? null,
      ...(asking?.asked && { counts: asking.asked }),
    },
    read: async ({ row, counts, hasInbox }) => {
      if (!row && remembered && asking) return withCounts(ctx, remembered, { ...asking, counts, askedAtMs });
      if (!row) throw new Error('Controls that are not remembered are asked for.');
      const stored = controlsOf(row);
      if (hasInbox) noteControls(ctx, sentBy, stored);
      const late = askCounts(ctx, send, stored);
      return withCounts(ctx, stored, { ...late, counts: await count(ctx, late.asked), askedAtMs });
    },
  };
}

interface Asking {
  caps: Cap[];
  /** Those that are counted. */
  counted: Cap[];
  /** The question, or null without one. */
  asked: object | null;
}

function askCounts(
  ctx: Context,
  { sentBy, addresses, thread, at }: ControlledSend,
  { policies }: StoredControls,
): Asking {
  const caps = capsOf(policies, addresses);
  // Nothing counts for a thread that the message begins.
  const joins = thread.thread_id !== null || thread.named.length > 0;
  const counted = caps.filter((cap) => (cap.kind === 'thread' ? joins : hasToBeCounted(ctx, cap)));
  const asks_known = policies.some(({ lines }) => lines.recipients === 'known');
  if (!asks_known && counted.length === 0) return { caps, counted, asked: null };
  const asked = {
    workspace_id: ctx.workspaceId,
    inbox_id: sentBy.inboxId,
    asks_known,
    ...(asks_known && { addresses }),
    caps: counted.map((cap) => [cap.subject, beginningOf(cap, ctx, at), cap.most]),
    ...(counted.some(({ kind }) => kind === 'thread') && thread),
  };
  return { caps, counted, asked };
}

function withCounts(
  ctx: Context,
  stored: StoredControls,
  { caps, counted, counts, askedAtMs }: Asking & { counts: Counts | null; askedAtMs: number },
): Controls {
  for (const [n, cap] of counted.entries()) cap.sent = counts?.sent[n] ?? 0;
  noteCounts(ctx, counted, askedAtMs);
  return { ...stored, caps, threadId: counts?.thread_id ?? null, known: counts?.known ?? null };
}

async function count(ctx: Context, asked: object | null): Promise<Counts | null> {
  const [row] = asked ? await selectCounts(ctx, { asked: JSON.stringify([asked]) }) : [];
  return row?.counts ?? null;
}

const selectCounts = prepared((db, { asked }: { asked: string }) =>
  sql<{ counts: Counts }>`select counts from sending_counts(${asked}::jsonb)`.compile(db),
);
