import { id, maker, metadata } from './columns.ts';

/** Workspaces, their keys and their inboxes; the server itself. */
export const tenancy = [
  // One row about the whole server, created at the first start: the id of the root secret, so that a different one is noticed.
  'create table instance (one boolean primary key check (one), secret_id text collate "C" not null)',
  // The functions that the database has, by their version and a hash of their text.
  'create table applied_functions (one boolean primary key check (one), version integer not null, hash text not null)',
  `create table workspaces (
    ${id('id')} primary key, name text not null unique, plan text not null, is_test boolean not null,
    created_at timestamptz(3) not null)`,
  `create table api_keys (
    ${id('id')} primary key, ${id('workspace_id')} references workspaces, key_hash bytea not null unique, hint text not null,
    name text not null, scopes text[], created_at timestamptz(3) not null, last_used_at timestamptz(3),
    revoked_at timestamptz(3))`,
  'create index api_keys_of_workspace on api_keys (workspace_id, id)',
  `create table inboxes (
    ${id('workspace_id')}, ${id('id')}, local_part text not null, display_name text, domain_id text collate "C",
    address text not null, created_at timestamptz(3) not null, deleted_at timestamptz(3), ${maker}, ${metadata},
    primary key (workspace_id, id))`,
  'create index live_inboxes on inboxes (workspace_id, id) where deleted_at is null',
  `create table addresses (
    address text collate "C" primary key, ${id('workspace_id')}, ${id('inbox_id')}, held_until timestamptz(3))`,
  'create index held_addresses on addresses (workspace_id, held_until) where held_until is not null',
  // A row for each process that serves the API.
  'create table api_processes (id text collate "C" not null primary key, seen_at timestamptz(3) not null)',
];
