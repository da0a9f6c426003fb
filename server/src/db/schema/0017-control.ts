import { Migration } from '@mikro-orm/migrations';
import { id } from './0001/columns.ts';

const statements = [
  // Every change of what may be sent raises a version, by which a send notices that it was decided by something older.
  'alter table workspaces add column sending_version bigint not null default 0',
  `alter table workspaces add column disclosure text not null default 'none'`,
  'alter table instance add column sending_version bigint not null default 0',
  'alter table api_keys add column inbox_ids text[]',
  'alter table api_keys add column read_only boolean not null default false',
  'alter table api_keys add column expires_at timestamptz(3)',
  `create table policies (
    ${id('workspace_id')}, level text collate "C" not null, ${id('subject_id')}, lines jsonb not null,
    updated_at timestamptz(3) not null, updated_by text collate "C", primary key (workspace_id, level, subject_id))`,
  // The server has an empty subject, and no workspace.
  `create table pauses (
    level text collate "C" not null, ${id('subject_id')}, workspace_id text collate "C", reason text,
    paused_at timestamptz(3) not null, paused_by text collate "C", primary key (level, subject_id))`,
  'create index pauses_of_workspace on pauses (workspace_id) where workspace_id is not null',
  // A connection of the database has rows of its own, so that sends at the same time do not wait for each other.
  `create table send_counts (
    ${id('workspace_id')}, subject text collate "C" not null, slot timestamptz(3) not null, shard int not null, amount int not null,
    primary key (workspace_id, subject, slot, shard)) with (fillfactor = 70)`,
  'create index send_counts_by_time on send_counts using brin (slot)',
  `create table approvals (
    ${id('workspace_id')}, ${id('message_id')}, ${id('inbox_id')}, state text not null, content_hash bytea not null,
    held_at timestamptz(3) not null, expires_at timestamptz(3) not null, notified_at timestamptz(3),
    decided_at timestamptz(3), decided_by text collate "C", reason text, primary key (workspace_id, message_id))`,
  `create index approvals_held on approvals (workspace_id, message_id) where state = 'held'`,
  `create index approvals_by_end on approvals (expires_at) where state = 'held'`,
  `create index approvals_unannounced on approvals (held_at) where state = 'held' and notified_at is null`,
  // When a recipient whose message waits for the end of a pause was due.
  'alter table message_recipients add column resume_at timestamptz(3)',
  'create index message_recipients_paused on message_recipients (workspace_id, inbox_id) where resume_at is not null',
  `create index message_recipients_under_way on message_recipients (workspace_id) where status in ('queued', 'sending')`,
];

const tables = ['approvals', 'send_counts', 'pauses', 'policies'];

/** What people allow to be sent: policies, approvals, pauses and the scopes of keys. */
export class Control extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }

  override down(): void {
    for (const index of ['message_recipients_under_way', 'message_recipients_paused'])
      this.addSql(`drop index ${index}`);
    this.addSql('alter table message_recipients drop column resume_at');
    for (const table of tables) this.addSql(`drop table ${table}`);
    for (const column of ['inbox_ids', 'read_only', 'expires_at'])
      this.addSql(`alter table api_keys drop column ${column}`);
    this.addSql('alter table instance drop column sending_version');
    for (const column of ['disclosure', 'sending_version'])
      this.addSql(`alter table workspaces drop column ${column}`);
  }
}
