import { id } from './columns.ts';

/** Records of usage, SMTP decisions and requests. */
export const records = [
  `create table usage_ledger (
    id bigserial, ${id('workspace_id')}, kind text not null, amount bigint not null, at timestamptz(3) not null, primary key (id))`,
  'create index usage_ledger_of_workspace on usage_ledger (workspace_id, kind, at) include (amount)',
  `create table usage_totals (
    ${id('workspace_id')}, kind text not null, month date not null, amount bigint not null, primary key (workspace_id, kind, month))`,
  `create table usage_days (
    ${id('workspace_id')}, day date not null, kind text not null, amount bigint not null, primary key (workspace_id, day, kind))`,
  'create index usage_days_by_day on usage_days using brin (day)',
  `create table smtp_decisions (
    id bigserial, at timestamptz(3) not null, workspace_id text collate "C", inbox_id text collate "C", message_id text collate "C",
    session_id text not null, remote_address text not null, helo text, mail_from text, rcpt_to text, verdict text not null,
    reply text not null, primary key (id))`,
  'create index smtp_decisions_by_time on smtp_decisions (at)',
  // A recipient may be longer than an entry of an index.
  `create index smtp_decisions_of_host on smtp_decisions ("left"(rtrim(lower(split_part(rcpt_to, '@', '-1'::integer)), '.'), 255), id)
    where (workspace_id is null) and (rcpt_to is not null)`,
  'create index smtp_decisions_of_workspace on smtp_decisions (workspace_id, id) where workspace_id is not null',
  `create table api_requests (
    ${id('workspace_id')}, at timestamptz(3) not null, ${id('id')}, ${id('key_id')}, method text not null, path text not null,
    status integer not null, error text, duration_ms integer not null, skipped integer not null, primary key (workspace_id, at, id))`,
  'create index api_requests_by_time on api_requests using brin (at)',
  'create table used_tickets (token_hash bytea not null, expires_at timestamptz(3) not null, primary key (token_hash))',
  'create index used_tickets_by_end on used_tickets (expires_at)',
];
