import { id } from './columns.ts';

/** Workspaces, their keys and their inboxes; the server itself. */
export const tenancy = [
  // One row about the whole server, created at the first start: the id of the root secret, so that a different one is noticed.
  `create table instance (
    one boolean not null, ${id('secret_id')}, sending_version bigint not null default 0, primary key (one), check (one))`,
  `create table applied_functions (
    one boolean not null, version integer not null, hash text not null, primary key (one), check (one))`,
  `create table workspaces (
    ${id('id')}, name text not null, plan text not null, is_test boolean not null, created_at timestamptz(3) not null,
    sending_version bigint not null default 0, disclosure text not null default 'none', audit_began boolean not null default false,
    title text not null, primary key (id), unique (name))`,
  `create table api_keys (
    ${id('id')}, ${id('workspace_id')}, key_hash bytea not null, hint text not null, name text not null, scopes text[],
    created_at timestamptz(3) not null, last_used_at timestamptz(3), revoked_at timestamptz(3), created_by text collate "C",
    inbox_ids text[], read_only boolean not null default false, expires_at timestamptz(3), primary key (id), unique (key_hash),
    foreign key (workspace_id) references workspaces(id))`,
  'create index api_keys_of_workspace on api_keys (workspace_id, id)',
  `create table inboxes (
    ${id('workspace_id')}, ${id('id')}, local_part text not null, display_name text, domain_id text collate "C",
    address text not null, created_at timestamptz(3) not null, deleted_at timestamptz(3), actor_id text collate "C",
    request_id text, metadata jsonb not null default '{}', primary key (workspace_id, id))`,
  'create index inboxes_of_domain on inboxes (workspace_id, domain_id) where domain_id is not null',
  'create index live_inboxes on inboxes (workspace_id, id) where deleted_at is null',
  `create table addresses (
    ${id('address')}, ${id('workspace_id')}, ${id('inbox_id')}, held_until timestamptz(3), primary key (address))`,
  'create index held_addresses on addresses (workspace_id, held_until) where held_until is not null',
  // A row for each process that serves the API.
  `create table api_processes (${id('id')}, seen_at timestamptz(3) not null, primary key (id))`,
  'create table leases (name text not null, holder text not null, ends_at timestamptz(3) not null, primary key (name))',
];
