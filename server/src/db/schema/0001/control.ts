import { id } from './columns.ts';

/** Policies and pauses: the limits that people set to sending. */
export const control = [
  `create table policies (
    ${id('workspace_id')}, ${id('level')}, ${id('subject_id')}, lines jsonb not null, updated_at timestamptz(3) not null,
    updated_by text collate "C", primary key (workspace_id, level, subject_id))`,
  // The server has an empty subject, and no workspace.
  `create table pauses (
    ${id('level')}, ${id('subject_id')}, workspace_id text collate "C", reason text, paused_at timestamptz(3) not null,
    paused_by text collate "C", primary key (level, subject_id))`,
  'create index pauses_of_workspace on pauses (workspace_id) where workspace_id is not null',
  // Each database connection has its own rows, so that simultaneous sends do not wait for each other.
  `create table send_counts (
    ${id('workspace_id')}, ${id('subject')}, slot timestamptz(3) not null, amount integer not null, ${id('message_id')},
    primary key (workspace_id, subject, slot, message_id))`,
  'create index send_counts_by_time on send_counts using brin (slot)',
  `create table approvals (
    ${id('workspace_id')}, ${id('message_id')}, ${id('inbox_id')}, state text not null, content_hash bytea not null,
    held_at timestamptz(3) not null, expires_at timestamptz(3) not null, notified_at timestamptz(3), decided_at timestamptz(3),
    decided_by text collate "C", reason text, primary key (workspace_id, message_id))`,
  `create index approvals_by_end on approvals (expires_at) where state = 'held'`,
  'create index approvals_by_notice on approvals (workspace_id, notified_at) where notified_at is not null',
  `create index approvals_held on approvals (workspace_id, message_id) where state = 'held'`,
  `create index approvals_unannounced on approvals (held_at) where (state = 'held') and (notified_at is null)`,
];
