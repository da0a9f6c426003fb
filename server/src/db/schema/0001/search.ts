import { compressedByLz4, id } from './columns.ts';

/**
 * The search index (ADR 0029), the texts of attachments (ADR 0030) and the vectors of messages (ADR 0032). A search reads the codes of a
 * whole workspace, so they are in a narrow table, and the vectors that it then compares exactly are in another one.
 */
export const search = [
  'create sequence search_bucket_ids',
  // `revision` grows when a message that waits is to be indexed again, so that a change meanwhile is not lost.
  `create table search_pending (
    ${id('workspace_id')}, ${id('message_id')}, revision integer not null default 1, primary key (workspace_id, message_id))
    with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  `create table search_workspaces (
    ${id('workspace_id')}, newest_bucket integer not null default 0, in_newest integer not null default 0,
    oldest_bucket integer not null default -1, in_oldest integer not null default 0, backfill_before text collate "C",
    known_words integer not null default 0, primary key (workspace_id))`,
  'create index search_workspaces_backfill on search_workspaces (backfill_before) where backfill_before is not null',
  // `oldest` and `newest` bound the ids of the messages by their first characters, which are the time of an id.
  `create table search_buckets (
    ${id('workspace_id')}, bucket integer not null, number bigint not null, block bigint not null, oldest text collate "C",
    newest text collate "C", primary key (workspace_id, bucket))`,
  `create table search_messages (
    ${id('workspace_id')}, ${id('message_id')}, bucket integer not null, words tsvector not null,
    primary key (workspace_id, message_id))`,
  'alter table search_messages set (toast_tuple_target = 8160)',
  // Everything stays in the row as it is, up to the size of a page. Each function that ranks a row would unpack the vector again, which
  // saves only a sixth of its size, and ids that are moved out to make room would have to be fetched.
  'alter table search_messages alter workspace_id set storage plain, alter message_id set storage plain, alter words set storage main',
  // The indexer empties the list of entries that are not sorted in yet after each batch.
  `create index search_messages_words on search_messages using gin (words)
    with (fastupdate = on, gin_pending_list_limit = 32768)`,
  `create table search_words (
    ${id('workspace_id')}, ${id('word')}, n integer not null, variants integer[] not null,
    primary key (workspace_id, word)) with (fillfactor = 85)`,
  'create index search_words_variants on search_words using gin (variants)',
  `create table search_gone (
    ${id('workspace_id')}, number bigint generated always as identity, words tsvector not null, primary key (workspace_id, number))`,
  // `due_at` is when a file that is `pending` may be read, and null for any other. Every claim raises `tries`.
  `create table attachment_texts (
    ${id('workspace_id')}, ${id('message_id')}, ${id('attachment_id')}, status text not null, text text, due_at timestamptz(3),
    tries integer not null default 0, primary key (workspace_id, message_id, attachment_id))`,
  compressedByLz4('attachment_texts', ['text']),
  // A worker takes the newest message of a workspace first, so that indexing old mail does not delay new mail.
  `create index attachment_texts_pending on attachment_texts (workspace_id, message_id desc) where status = 'pending'`,
  `create table search_codes (
    code bit(768) not null, space integer not null, ${id('workspace_id')}, ${id('inbox_id')}, ${id('message_id')},
    primary key (workspace_id, message_id) INCLUDE (space, inbox_id, code)) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 5000)`,
  // With a compressed value, every comparison would make a copy first.
  'alter table search_codes alter code set storage plain',
  'create index search_codes_by_inbox on search_codes (workspace_id, inbox_id)',
  `create table search_vectors (
    ${id('workspace_id')}, ${id('message_id')}, vector bytea not null, primary key (workspace_id, message_id))`,
  `create table embedding_pending (
    ${id('workspace_id')}, ${id('message_id')}, is_live boolean not null, primary key (workspace_id, message_id))
    with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  'create index embedding_pending_by_age on embedding_pending (is_live, message_id)',
  // Only workspaces that search by meaning have a row. `asked_at` is when one last did, give or take a day.
  `create table embedding_progress (
    ${id('workspace_id')}, space integer not null, before text collate "C", asked_at timestamptz(3) not null,
    primary key (workspace_id))`,
];
