import { id } from './columns.ts';

/** Labels, rules and suppressions. */
export const organising = [
  // `name_key` is the name in the one spelling in which names are compared. The server creates it, because the letters that a database
  // considers equal depend on where it was set up.
  `create table labels (
    ${id('workspace_id')}, ${id('id')}, name text not null, color text, created_at timestamptz(3) not null,
    actor_id text collate "C", request_id text, ${id('name_key')}, primary key (workspace_id, id))`,
  'create unique index labels_by_name on labels (workspace_id, name_key)',
  `create table message_labels (
    ${id('workspace_id')}, ${id('label_id')}, ${id('message_id')}, actor_id text collate "C", request_id text, ${id('inbox_id')},
    primary key (workspace_id, message_id, label_id))`,
  'create index messages_of_label on message_labels (workspace_id, label_id, message_id)',
  'create index messages_of_label_in_inbox on message_labels (workspace_id, label_id, inbox_id, message_id)',
  // The labels that each thread has through its messages, with the time of its last message, so that the threads of a label are listed in
  // their order without reading all of its messages. Triggers maintain it (`functions/labels/`).
  `create table thread_labels (
    ${id('workspace_id')}, ${id('thread_id')}, ${id('label_id')}, ${id('inbox_id')}, last_message_at timestamptz(3) not null,
    primary key (workspace_id, thread_id, label_id))`,
  'create index threads_of_label on thread_labels (workspace_id, label_id, last_message_at, thread_id)',
  'create index threads_of_label_in_inbox on thread_labels (workspace_id, label_id, inbox_id, last_message_at, thread_id)',
  `create table suppressions (
    ${id('workspace_id')}, ${id('address')}, reason text not null, message_id text collate "C", created_at timestamptz(3) not null,
    actor_id text collate "C", request_id text, primary key (workspace_id, address))`,
  'create index suppressions_by_time on suppressions (workspace_id, created_at, address)',
  `create table rules (
    ${id('workspace_id')}, ${id('id')}, kind text not null, direction text not null, ${id('pattern')},
    created_at timestamptz(3) not null, actor_id text collate "C", request_id text, primary key (workspace_id, id))`,
  `create index inbound_rules on rules (workspace_id, pattern) where direction <> 'outbound'`,
  // Both indexes begin with the known facts about a mail: its workspace, and the patterns that might match.
  'create unique index rules_by_pattern on rules (workspace_id, pattern, kind, direction)',
];
