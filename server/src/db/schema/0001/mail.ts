import { compressedByLz4, id } from './columns.ts';

/** Threads, messages and everything that belongs to a message. */
export const mail = [
  `create table threads (
    ${id('workspace_id')}, ${id('id')}, ${id('inbox_id')}, subject text not null, participants text[] not null,
    message_count integer not null, last_message_at timestamptz(3) not null, created_at timestamptz(3) not null,
    unread_count integer not null default 0, primary key (workspace_id, id))`,
  'create index threads_by_activity on threads (workspace_id, last_message_at, id)',
  'create index threads_by_read on threads (workspace_id, (unread_count > 0), last_message_at, id)',
  'create index threads_by_read_in_inbox on threads (workspace_id, inbox_id, (unread_count > 0), last_message_at, id)',
  'create index threads_of_inbox on threads (workspace_id, inbox_id, last_message_at, id)',
  // A merged thread is still found by its id.
  `create table thread_aliases (${id('workspace_id')}, ${id('id')}, ${id('thread_id')}, primary key (workspace_id, id))`,
  'create index thread_aliases_of_thread on thread_aliases (workspace_id, thread_id)',
  // Deleted threads whose messages are still being removed.
  `create table deleted_threads (${id('workspace_id')}, ${id('thread_id')}, primary key (workspace_id, thread_id))`,
  // `cut_fields` names the fields that hold less than the mail had, such as `attachments` if there were too many files.
  `create table messages (
    ${id('workspace_id')}, ${id('id')}, ${id('inbox_id')}, ${id('thread_id')}, direction text not null, from_addr text not null,
    from_name text, to_addrs text[] not null, cc_addrs text[] not null, bcc_addrs text[] not null, reply_to_addrs text[] not null,
    envelope_from text, envelope_to text[] not null, subject text not null, body_text text, body_html text, extracted_text text,
    snippet text not null, delivery_status text not null, message_id_header text not null, in_reply_to text,
    reference_ids text[] not null, provider_message_id text, client_id text, dropped jsonb, authentication jsonb,
    auto_submitted boolean not null, has_attachments boolean not null, size_bytes integer not null,
    created_at timestamptz(3) not null, actor_id text collate "C", request_id text, cut_fields text[] not null default '{}',
    metadata jsonb not null default '{}', is_read boolean not null default true, terms text[] not null default '{}',
    writer_id text collate "C", thread_index text, hidden_text boolean not null default false,
    primary key (workspace_id, id)) with (fillfactor = 85)`,
  // With pglz, the default, compression is a twentieth of the cost of a mail in the database. lz4 takes a sixth of that, and about as much
  // space.
  compressedByLz4('messages', ['body_text', 'body_html', 'extracted_text']),
  'create index messages_by_kind on messages (workspace_id, direction, has_attachments, id)',
  'create index messages_by_read on messages (workspace_id, is_read, id)',
  'create index messages_by_read_in_inbox on messages (workspace_id, inbox_id, is_read, id)',
  'create index messages_of_inbox on messages (workspace_id, inbox_id, direction, has_attachments, id)',
  'create index messages_of_thread on messages (workspace_id, thread_id, id)',
  // The filters of lists look up messages here. Each term has its messages in the order of lists, which an inverted index lacks. The terms
  // of a message are in its row, too, so that its rows here are found when it is removed.
  `create table message_terms (
    ${id('workspace_id')}, ${id('term')}, ${id('message_id')}, primary key (workspace_id, term, message_id))`,
  `create table originals (
    ${id('workspace_id')}, ${id('message_id')}, raw bytea not null, primary key (workspace_id, message_id))`,
  // Mail is read once or never, so compression would cost every mail more than it saves.
  'alter table originals alter raw set storage external',
  `create table spooled_mail (
    ${id('id')}, at timestamptz(3) not null, session_id text not null, remote_address text not null, helo text,
    envelope_from text not null, size_bytes integer not null, targets jsonb not null, primary key (id))`,
  `create table unparsed_messages (
    ${id('workspace_id')}, ${id('message_id')}, remote_address text, helo text, attempts integer not null default 0,
    due_at timestamptz(3) not null, primary key (workspace_id, message_id))`,
  `create table message_ids (
    ${id('workspace_id')}, ${id('inbox_id')}, hash bytea not null, ${id('message_id')},
    primary key (workspace_id, inbox_id, hash, message_id))`,
  `create table awaited_ids (
    ${id('workspace_id')}, ${id('inbox_id')}, hash bytea not null, ${id('thread_id')},
    primary key (workspace_id, inbox_id, hash, thread_id))`,
  'create index awaited_ids_of_thread on awaited_ids (workspace_id, thread_id)',
  `create table client_ids (
    ${id('workspace_id')}, ${id('client_id')}, ${id('message_id')}, expires_at timestamptz(3) not null, request_hash bytea,
    primary key (workspace_id, client_id))`,
  'create index client_ids_by_expiry on client_ids using brin (expires_at)',
  `create table inbound_fingerprints (
    ${id('workspace_id')}, ${id('inbox_id')}, fingerprint bytea not null, ${id('message_id')}, expires_at timestamptz(3) not null,
    primary key (workspace_id, inbox_id, fingerprint))`,
  'create index inbound_fingerprints_by_expiry on inbound_fingerprints using brin (expires_at)',
  `create table message_recipients (
    ${id('workspace_id')}, ${id('message_id')}, address text not null, ${id('inbox_id')}, kind text not null,
    position integer not null, status text not null, detail text, provider_message_id text, attempts integer not null,
    due_at timestamptz(3), expires_at timestamptz(3) not null, updated_at timestamptz(3) not null, resume_at timestamptz(3),
    sandboxed boolean not null default false, primary key (workspace_id, message_id, address))`,
  `create index message_recipients_due on message_recipients (lower(split_part(address, '@', '-1'::integer)), due_at)
    where due_at is not null`,
  // Providers report on a message by the id that they gave it. A message that never left this server has none.
  `create index message_recipients_of_provider on message_recipients (provider_message_id)
    where provider_message_id is not null`,
  'create index message_recipients_paused on message_recipients (workspace_id, inbox_id) where resume_at is not null',
  // This costs a send nothing: no recipient begins as rejected, and each change of its status rewrites the other indexes anyway.
  `create index message_recipients_rejected on message_recipients (workspace_id, message_id) where status = 'rejected'`,
  `create index message_recipients_under_way on message_recipients (workspace_id)
    where status = ANY (ARRAY['queued', 'sending'])`,
  `create table attachments (
    ${id('workspace_id')}, ${id('id')}, ${id('inbox_id')}, ${id('message_id')}, position integer not null, filename text not null,
    mime_type text not null, size_bytes integer not null, content_id text, inline boolean not null, primary key (workspace_id, id))`,
  // Shows the deletion of an inbox how many bytes it frees.
  'create index attachments_of_inbox on attachments (workspace_id, inbox_id) include (size_bytes)',
  'create index attachments_of_message on attachments (workspace_id, message_id, "position")',
];
