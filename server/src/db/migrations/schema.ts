import { Migration } from '@mikro-orm/migrations';

/**
 * The tables of the first release. Keys lead with `workspace_id`, so that the data can be partitioned by workspace; `addresses`
 * and `api_keys` are global, because they are what leads to a workspace, and `spooled_mail`, because a mail may be for several.
 * Ids compare in byte order (`collate "C"`), which is the order of their creation.
 */
export class Schema extends Migration {
  override up(): void {
    this.addSql('create extension if not exists btree_gin');
    for (const statement of [...tenancy, ...mail, ...organising, ...records]) this.addSql(statement);
  }

  override down(): void {
    throw new Error('The first schema has no way back: restore a backup instead.');
  }
}

const id = (name: string) => `${name} text collate "C" not null`;
/** Who made a row: null when the server itself did, for example for mail that came in. */
const maker = 'api_key_id text collate "C", request_id text';

const tenancy = [
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
    address text not null, created_at timestamptz(3) not null, deleted_at timestamptz(3), ${maker},
    primary key (workspace_id, id))`,
  'create index live_inboxes on inboxes (workspace_id, id) where deleted_at is null',
  `create table addresses (
    address text collate "C" primary key, ${id('workspace_id')}, ${id('inbox_id')}, held_until timestamptz(3))`,
];

const mail = [
  `create table threads (
    ${id('workspace_id')}, ${id('id')}, ${id('inbox_id')}, subject text not null, participants text[] not null,
    message_count integer not null, last_message_at timestamptz(3) not null, created_at timestamptz(3) not null,
    primary key (workspace_id, id))`,
  'create index threads_by_activity on threads (workspace_id, last_message_at, id)',
  'create index threads_of_inbox on threads (workspace_id, inbox_id, last_message_at, id)',
  `create table thread_aliases (
    ${id('workspace_id')}, ${id('id')}, ${id('thread_id')}, primary key (workspace_id, id))`,
  'create index thread_aliases_of_thread on thread_aliases (workspace_id, thread_id)',
  `create table messages (
    ${id('workspace_id')}, ${id('id')}, ${id('inbox_id')}, ${id('thread_id')}, direction text not null,
    from_addr text not null, from_name text, to_addrs text[] not null, cc_addrs text[] not null,
    bcc_addrs text[] not null, reply_to_addrs text[] not null, envelope_from text, envelope_to text[] not null,
    subject text not null, body_text text, body_html text, extracted_text text, snippet text not null,
    delivery_status text not null, message_id_header text not null, in_reply_to text, reference_ids text[] not null,
    provider_message_id text, client_id text, dropped jsonb, authentication jsonb, auto_submitted boolean not null,
    has_attachments boolean not null, size_bytes integer not null, created_at timestamptz(3) not null,
    search tsvector not null, ${maker}, primary key (workspace_id, id)) with (fillfactor = 85)`,
  `create table originals (
    ${id('workspace_id')}, ${id('message_id')}, raw bytea not null, primary key (workspace_id, message_id))`,
  // Mail is read once or never: packing it would cost every mail more than it saves.
  'alter table originals alter column raw set storage external',
  `create table spooled_mail (
    ${id('id')} primary key, at timestamptz(3) not null, session_id text not null, remote_address text not null, helo text,
    envelope_from text not null, size_bytes integer not null, targets jsonb not null)`,
  'create index messages_of_inbox on messages (workspace_id, inbox_id, id)',
  'create index messages_of_thread on messages (workspace_id, thread_id, id)',
  'create index messages_search on messages using gin (workspace_id, search)',
  `create table message_ids (
    ${id('workspace_id')}, ${id('inbox_id')}, hash bytea not null, ${id('message_id')},
    primary key (workspace_id, inbox_id, hash, message_id))`,
  `create table awaited_ids (
    ${id('workspace_id')}, ${id('inbox_id')}, hash bytea not null, ${id('thread_id')},
    primary key (workspace_id, inbox_id, hash, thread_id))`,
  'create index awaited_ids_of_thread on awaited_ids (workspace_id, thread_id)',
  `create table message_recipients (
    ${id('workspace_id')}, ${id('message_id')}, address text not null, ${id('inbox_id')}, kind text not null,
    position integer not null, status text not null, detail text, provider_message_id text, attempts integer not null,
    due_at timestamptz(3), expires_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    primary key (workspace_id, message_id, address))`,
  'create index message_recipients_due on message_recipients (due_at) where due_at is not null',
  `create table attachments (
    ${id('workspace_id')}, ${id('id')}, ${id('inbox_id')}, ${id('message_id')}, position integer not null,
    filename text not null, mime_type text not null, size_bytes integer not null, content_id text,
    inline boolean not null, primary key (workspace_id, id))`,
  'create index attachments_of_message on attachments (workspace_id, message_id, position)',
  `create table client_ids (
    ${id('workspace_id')}, client_id text collate "C" not null, ${id('message_id')}, expires_at timestamptz(3) not null,
    primary key (workspace_id, client_id))`,
  `create table inbound_fingerprints (
    ${id('workspace_id')}, ${id('inbox_id')}, fingerprint bytea not null, ${id('message_id')},
    expires_at timestamptz(3) not null, primary key (workspace_id, inbox_id, fingerprint))`,
  'create index client_ids_by_expiry on client_ids using brin (expires_at)',
  'create index inbound_fingerprints_by_expiry on inbound_fingerprints using brin (expires_at)',
];

const organising = [
  `create table labels (
    ${id('workspace_id')}, ${id('id')}, name text not null, color text, created_at timestamptz(3) not null, ${maker},
    primary key (workspace_id, id))`,
  'create unique index labels_by_name on labels (workspace_id, lower(name))',
  `create table message_labels (
    ${id('workspace_id')}, ${id('label_id')}, ${id('message_id')}, primary key (workspace_id, message_id, label_id))`,
  'create index messages_of_label on message_labels (workspace_id, label_id, message_id)',
  `create table suppressions (
    ${id('workspace_id')}, address text collate "C" not null, reason text not null, message_id text collate "C",
    created_at timestamptz(3) not null, ${maker}, primary key (workspace_id, address))`,
];

const records = [
  `create table events (
    ${id('workspace_id')}, ${id('id')}, insertion bigserial not null, position bigint, event text not null,
    ${id('inbox_id')}, ${id('thread_id')}, ${id('message_id')}, extra jsonb not null,
    created_at timestamptz(3) not null, primary key (workspace_id, id))`,
  'create index events_to_order on events (insertion) where position is null',
  'create index events_in_order on events (workspace_id, position) where position is not null',
  'create index events_of_message on events (workspace_id, message_id)',
  // Rows come in the order of their times, which is what a block range index is for: it costs writers next to nothing.
  'create index events_by_time on events using brin (created_at)',
  'create sequence event_positions',
  `create table usage_ledger (
    id bigserial primary key, ${id('workspace_id')}, kind text not null, amount bigint not null,
    at timestamptz(3) not null)`,
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
