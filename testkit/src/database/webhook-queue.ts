import type { Deps } from '../../../server/src/deps.ts';
import { createTimeScale } from '../../../server/src/lib/clock.ts';
import { newId } from '../../../server/src/lib/ids.ts';
import { createPostSlots, type Room } from '../../../server/src/webhooks/posting/post-slots.ts';
import { openFreshDatabase } from './fresh-database.ts';

type Query = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>;

function webhookRows(query: Query, workspaceId: string, now: () => number) {
  return {
    /** Creates a webhook and returns its id. */
    webhook: async (
      change: { events?: string[]; failing?: boolean; enabled?: boolean } = {},
    ): Promise<string> => {
      const id = newId('whk');
      const { rows } = await query(
        'select case when is_called then last_value else 0 end as newest from events_insertion_seq',
      );
      await query(
        `insert into webhooks (workspace_id, id, url, events, enabled, secret, failing_since, after_insertion, created_at)
       values ($1, $2, 'https://agent.invalid', $3, $4, 's', $5, $6, now())`,
        [
          workspaceId,
          id,
          change.events ?? ['message.received'],
          change.enabled ?? true,
          change.failing ? new Date(now() - 1_000) : null,
          rows[0]?.newest,
        ],
      );
      return id;
    },
    /** Puts due deliveries into the queue of a webhook. */
    queue: (id: string, count: number, more: { retry?: boolean; dueAt?: Date } = {}) =>
      query(
        `insert into webhook_deliveries select $1, 'dlv_' || $2 || n, $2, 'evt' || n, 'message.received', 'inb', 'log', 'pending',
         '[]', $4, 0, $5, $5, now(), null, null from generate_series(1, $3::int) n`,
        [workspaceId, id, count, more.retry ?? true, more.dueAt ?? new Date(now() - 1_000)],
      ),
  };
}

export type WebhookQueue = Awaited<ReturnType<typeof openWebhookQueue>>;

/** Opens a database of webhooks, events and deliveries that a test writes itself, with a clock that the test moves. */
export async function openWebhookQueue() {
  const database = await openFreshDatabase();
  const workspaceId = newId('wsp');
  let now = Date.now();
  let inbox = '';
  const query = (text: string, values: unknown[] = []) => database.pool.query(text, values);
  return {
    database,
    query,
    now: () => now,
    advance: (ms: number) => {
      now += ms;
    },
    deps: (): Deps =>
      ({
        db: database.db,
        memory: new Map(),
        clock: { now: () => new Date(now) },
        timeScale: createTimeScale(1),
        log: { warn: () => {} },
      }) as unknown as Deps,
    /** Leaves the database with one inbox and nothing else. */
    clear: async () => {
      await query('delete from webhooks; delete from webhook_deliveries; delete from events');
      inbox = newId('inb');
      await query(
        `insert into inboxes (workspace_id, id, local_part, address, created_at) values ($1, $2, 'a', 'a@b.c', now())`,
        [workspaceId, inbox],
      );
    },
    ...webhookRows(query, workspaceId, () => now),
    /** Writes events, by default of the inbox, and returns their ids. */
    write: async (count: number, inboxId = inbox): Promise<string[]> => {
      const ids = Array.from({ length: count }, () => newId('evt'));
      await query(
        `insert into events (workspace_id, id, event, inbox_id, thread_id, message_id, extra, created_at)
         select $1, id, 'message.received', $2, 'thr', 'msg', '{}', now() from unnest($3::text[]) id`,
        [workspaceId, inboxId, ids],
      );
      return ids;
    },
    /** Creates an inbox that was deleted, and returns its id. */
    deletedInbox: async (): Promise<string> => {
      const id = newId('inb');
      await query(
        `insert into inboxes (workspace_id, id, local_part, address, created_at, deleted_at)
         values ($1, $2, $2, $2, now(), now())`,
        [workspaceId, id],
      );
      return id;
    },
    /** Returns the row of a delivery. */
    row: async (id: string) => (await query('select * from webhook_deliveries where id = $1', [id])).rows[0],
  };
}

/** Returns the room of a process that posts nothing, with no share for a single workspace. */
export function makeRoom(change: Partial<Room> = {}): Room {
  return {
    ...createPostSlots().room(),
    workspace_share: 1,
    ...change,
  };
}
