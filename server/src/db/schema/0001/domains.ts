import { id } from './columns.ts';

/** Domains, their keys, and the reports on them. */
export const domains = [
  `create table domains (
    ${id('workspace_id')}, ${id('id')}, ${id('hostname')}, kind text not null, status text not null, dmarc_policy text not null,
    ownership_token text not null, dkim_selector text not null, dkim_private_key text not null, dkim_public_key text not null,
    checks jsonb not null, checked_at timestamptz(3), due_at timestamptz(3), fence integer not null default 0,
    looking_since timestamptz(3) not null, failing_since timestamptz(3), verified_at timestamptz(3),
    created_at timestamptz(3) not null, actor_id text collate "C", request_id text, primary key (workspace_id, id),
    unique (workspace_id, hostname), foreign key (workspace_id) references workspaces(id))`,
  'create index domains_by_hostname on domains (hostname)',
  'create index domains_due on domains (due_at) where due_at is not null',
  `create table verified_hostnames (
    ${id('hostname')}, ${id('workspace_id')}, ${id('domain_id')}, primary key (hostname))`,
  `create table signing_keys (
    domain text not null, public_key text not null, sealed_key text not null, created_at timestamptz(3) not null,
    primary key (domain))`,
  `create table dmarc_counts (
    ${id('workspace_id')}, ${id('domain_id')}, day date not null, is_own boolean not null, ${id('source')}, passed bigint not null,
    failed bigint not null, primary key (workspace_id, domain_id, day, is_own, source))`,
  'create index dmarc_counts_by_day on dmarc_counts (day)',
  `create table seen_dmarc_reports (
    ${id('workspace_id')}, ${id('domain_id')}, ${id('reporter')}, hash bytea not null, received_at timestamptz(3) not null,
    primary key (workspace_id, domain_id, reporter, hash))`,
  'create index seen_dmarc_reports_by_time on seen_dmarc_reports (received_at)',
];
