import { Migration } from '@mikro-orm/migrations';
import { fanOutEvents } from './share-webhook-places.ts';
import { storing } from './store-message.ts';
import { lockThread } from './thread-labels.ts';

/**
 * What callers note on their mail: metadata of inboxes, messages and drafts, and whether a message was read, with the order that
 * lists by it have; the inboxes that a webhook is limited to; and the threads that are deleted and whose messages are still being
 * removed. Mail that is there before counts as read, so that the first look at unread mail shows what is new.
 */
export class OwnMarks extends Migration {
  override up(): void {
    for (const statement of [...tables, ...indexes, ...storing, lockThread, fanOutEvents])
      this.addSql(statement);
  }
}

const metadata = `add column metadata jsonb not null default '{}'`;

const tables = [
  `alter table inboxes ${metadata}`,
  `alter table messages ${metadata}, add column is_read boolean not null default true`,
  'alter table threads add column unread_count integer not null default 0',
  `alter table drafts ${metadata}`,
  'alter table webhooks add column inbox_ids text[]',
  `create table deleted_threads (
    workspace_id text collate "C" not null, thread_id text collate "C" not null, primary key (workspace_id, thread_id))`,
];

const indexes = [
  'create index messages_by_read on messages (workspace_id, is_read, id)',
  'create index messages_by_read_in_inbox on messages (workspace_id, inbox_id, is_read, id)',
  'create index threads_by_read on threads (workspace_id, (unread_count > 0), last_message_at, id)',
  `create index threads_by_read_in_inbox on threads (workspace_id, inbox_id, (unread_count > 0), last_message_at, id)`,
];
