import { id } from './columns.ts';

/** People, their sign-in data, and the log of what they and operators did. */
export const people = [
  `create table people (
    ${id('id')}, ${id('email')}, name text not null, password_hash text, second_factor text, second_factor_pending text,
    second_factor_step bigint, recovery_hashes text[] not null default '{}', created_at timestamptz(3) not null, primary key (id),
    unique (email))`,
  `create table person_sessions (
    ${id('id')}, ${id('person_id')}, token_hash bytea not null, created_at timestamptz(3) not null,
    last_seen_at timestamptz(3) not null, expires_at timestamptz(3) not null, user_agent text, address text, primary key (id),
    unique (token_hash), foreign key (person_id) references people(id))`,
  'create index person_sessions_by_end on person_sessions (expires_at)',
  'create index person_sessions_of_person on person_sessions (person_id, id)',
  `create table memberships (
    ${id('workspace_id')}, ${id('person_id')}, role text not null, created_at timestamptz(3) not null, approval_mail boolean,
    primary key (workspace_id, person_id), foreign key (person_id) references people(id),
    foreign key (workspace_id) references workspaces(id))`,
  'create index memberships_of_person on memberships (person_id, workspace_id)',
  // An invitation has an address and a workspace, and a link for a new password has a person.
  `create table invitations (
    ${id('workspace_id')}, ${id('id')}, ${id('email')}, role text not null, token_hash bytea not null, invited_by text collate "C",
    created_at timestamptz(3) not null, expires_at timestamptz(3) not null, primary key (workspace_id, id), unique (token_hash),
    unique (workspace_id, email), foreign key (workspace_id) references workspaces(id))`,
  'create index invitations_by_end on invitations (expires_at)',
  `create table password_resets (
    token_hash bytea not null, ${id('person_id')}, created_at timestamptz(3) not null, expires_at timestamptz(3) not null,
    primary key (token_hash), foreign key (person_id) references people(id))`,
  'create index password_resets_by_end on password_resets (expires_at)',
  'create index password_resets_of_person on password_resets (person_id)',
  `create table passkeys (
    ${id('id')}, ${id('person_id')}, ${id('credential_id')}, public_key bytea not null, counter bigint not null,
    transports text[] not null, name text not null, created_at timestamptz(3) not null, last_used_at timestamptz(3),
    site text collate "C", primary key (id), unique (credential_id), foreign key (person_id) references people(id))`,
  'create index passkeys_of_person on passkeys (person_id, id)',
  `create table audit_entries (
    ${id('workspace_id')}, ${id('id')}, at timestamptz(3) not null, actor_kind text not null, actor_id text collate "C",
    ${id('action')}, target text collate "C", before jsonb, after jsonb, address text, request_id text, seq bigint not null,
    actor_name text, previous_hash text not null, hash text not null, primary key (workspace_id, seq))`,
  'create index audit_entries_by_time on audit_entries (at)',
  `create table audit_heads (
    ${id('workspace_id')}, seq bigint not null, hash text not null, removed_seq bigint not null, removed_hash text not null,
    primary key (workspace_id))`,
];
