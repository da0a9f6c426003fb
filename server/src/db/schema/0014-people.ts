import { Migration } from '@mikro-orm/migrations';
import { id } from './0001/columns.ts';

const statements = [
  `create table people (
    ${id('id')} primary key, email text collate "C" not null unique, name text not null, password_hash text,
    second_factor text, second_factor_pending text, second_factor_step bigint, recovery_hashes text[] not null default '{}',
    created_at timestamptz(3) not null)`,
  `create table person_sessions (
    ${id('id')} primary key, ${id('person_id')} references people, token_hash bytea not null unique,
    created_at timestamptz(3) not null, last_seen_at timestamptz(3) not null, expires_at timestamptz(3) not null,
    user_agent text, address text)`,
  'create index person_sessions_of_person on person_sessions (person_id, id)',
  'create index person_sessions_by_end on person_sessions (expires_at)',
  `create table memberships (
    ${id('workspace_id')} references workspaces, ${id('person_id')} references people, role text not null,
    created_at timestamptz(3) not null, primary key (workspace_id, person_id))`,
  'create index memberships_of_person on memberships (person_id, workspace_id)',
  // An invitation has an address and a workspace, and a link for a new password has a person.
  `create table invitations (
    ${id('workspace_id')} references workspaces, ${id('id')}, email text collate "C" not null, role text not null,
    token_hash bytea not null unique, invited_by text collate "C", created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null, primary key (workspace_id, id), unique (workspace_id, email))`,
  'create index invitations_by_end on invitations (expires_at)',
  `create table password_resets (
    token_hash bytea not null primary key, ${id('person_id')} references people, created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null)`,
  'create index password_resets_of_person on password_resets (person_id)',
  'create index password_resets_by_end on password_resets (expires_at)',
  `create table passkeys (
    ${id('id')} primary key, ${id('person_id')} references people, credential_id text collate "C" not null unique,
    public_key bytea not null, counter bigint not null, transports text[] not null, name text not null,
    created_at timestamptz(3) not null, last_used_at timestamptz(3))`,
  'create index passkeys_of_person on passkeys (person_id, id)',
  `create table audit_entries (
    ${id('workspace_id')}, ${id('id')}, at timestamptz(3) not null, actor_kind text not null, actor_id text collate "C",
    action text collate "C" not null, target text collate "C", before jsonb, after jsonb, address text, request_id text,
    primary key (workspace_id, id))`,
  'create index audit_entries_by_time on audit_entries (at)',
  'alter table api_keys add column created_by text collate "C"',
];

/** People who sign in to the console, their sessions and workspaces, and the record of what they did. */
export class People extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }

  override down(): void {
    this.addSql('alter table api_keys drop column created_by');
    for (const table of [
      'audit_entries',
      'passkeys',
      'password_resets',
      'invitations',
      'memberships',
      'person_sessions',
      'people',
    ])
      this.addSql(`drop table ${table}`);
  }
}
