import { id } from './columns.ts';

/** The event log and its followers, the usage ledger, and the decision log of SMTP. */
export const records = [
  `create table events (
    ${id('workspace_id')}, ${id('id')}, insertion bigserial not null, position bigint, event text not null,
    ${id('inbox_id')}, ${id('thread_id')}, ${id('message_id')}, extra jsonb not null,
    created_at timestamptz(3) not null, primary key (workspace_id, id))`,
  'create sequence event_positions',
  'create index events_to_order on events (insertion) where position is null',
  'create index events_in_order on events (workspace_id, position) where position is not null',
  'create index events_by_position on events (position) where position is not null',
  'create index events_of_message on events (workspace_id, message_id)',
  // Rows are inserted in the order of their times, so a block range index works and costs writers next to nothing.
  'create index events_by_time on events using brin (created_at)',
  'create table event_followers (name text primary key, position bigint not null)',
  `insert into event_followers (name, position) values ('webhooks', 0)`,
  `create table usage_ledger (
    id bigserial primary key, ${id('workspace_id')}, kind text not null, amount bigint not null,
    at timestamptz(3) not null)`,
  'create index usage_ledger_of_workspace on usage_ledger (workspace_id, kind, at) include (amount)',
  `create table usage_totals (
    ${id('workspace_id')}, kind text not null, month date not null, amount bigint not null,
    primary key (workspace_id, kind, month))`,
  `create table smtp_decisions (
    id bigserial primary key, at timestamptz(3) not null, workspace_id text collate "C", inbox_id text collate "C",
    message_id text collate "C", session_id text not null, remote_address text not null, helo text,
    mail_from text, rcpt_to text, verdict text not null, reply text not null)`,
  'create index smtp_decisions_of_workspace on smtp_decisions (workspace_id, at)',
  'create index smtp_decisions_by_time on smtp_decisions (at)',
];
