import { id } from './columns.ts';

/**
 * Drafts and their files. `due_at` is the time at which a worker must process a draft: its scheduled time, or later while a worker is
 * processing it or must retry; null if nothing is scheduled. Every change increases `version`, so that a process that sends a draft notices
 * a change in between. The bytes of files are in rows, because they change together with the draft. Like originals, they are not
 * compressed.
 */
export const drafts = [
  `create table drafts (
    ${id('workspace_id')}, ${id('id')}, ${id('inbox_id')}, to_addrs text[] not null, cc_addrs text[] not null,
    bcc_addrs text[] not null, subject text, body_text text, body_html text, reply_to_message_id text collate "C",
    scheduled_at timestamptz(3), due_at timestamptz(3), attempts integer not null, version integer not null,
    message_id text collate "C", failure text, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    actor_id text collate "C", request_id text, metadata jsonb not null default '{}', writer_id text collate "C",
    primary key (workspace_id, id))`,
  'create index drafts_due on drafts (due_at) where due_at is not null',
  'create index drafts_of_inbox on drafts (workspace_id, inbox_id, id)',
  'create index drafts_of_message on drafts (workspace_id, message_id) where message_id is not null',
  'create index drafts_unsent on drafts (workspace_id, id) where message_id is null',
  `create table draft_files (
    ${id('workspace_id')}, ${id('id')}, ${id('inbox_id')}, ${id('draft_id')}, position integer not null, filename text not null,
    content_type text not null, size_bytes integer not null, content_id text, inline boolean not null, content bytea not null,
    primary key (workspace_id, id))`,
  'alter table draft_files alter content set storage external',
  'create index draft_files_of_draft on draft_files (workspace_id, draft_id, "position")',
];
