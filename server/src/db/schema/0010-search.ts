import { Migration } from '@mikro-orm/migrations';
import { id } from './0001/columns.ts';

/** The search index, and the leases of work that one process does for all (ADR 0029). */
export class Search extends Migration {
  override up(): void {
    this.addSql(
      'create table leases (name text primary key, holder text not null, ends_at timestamptz(3) not null)',
    );
    // `revision` grows when a message that waits is to be indexed again, so that a change meanwhile is not lost.
    this.addSql(`create table search_pending (
      ${id('workspace_id')}, ${id('message_id')}, revision integer not null default 1, primary key (workspace_id, message_id))
      with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`);
    this.addSql(`create table search_workspaces (
      ${id('workspace_id')} primary key, newest_bucket integer not null default 0, in_newest integer not null default 0,
      oldest_bucket integer not null default -1, in_oldest integer not null default 0, backfill_before text collate "C",
      known_words integer not null default 0)`);
    this.addSql(
      'create index search_workspaces_backfill on search_workspaces (backfill_before) where backfill_before is not null',
    );
    this.addSql('create sequence search_bucket_ids');
    // `oldest` and `newest` bound the ids of the messages by their first characters, which are the time of an id.
    this.addSql(`create table search_buckets (
      ${id('workspace_id')}, bucket integer not null, number bigint not null, block bigint not null,
      oldest text collate "C", newest text collate "C", primary key (workspace_id, bucket))`);
    this.addSql(`create table search_messages (
      ${id('workspace_id')}, ${id('message_id')}, bucket integer not null, words tsvector not null,
      primary key (workspace_id, message_id))`);
    // Everything stays in the row as it is, up to the size of a page. Each function that ranks a row would unpack the vector again, which
    // saves only a sixth of its size, and ids that are moved out to make room would have to be fetched.
    this.addSql(`alter table search_messages alter words set storage main, alter workspace_id set storage plain,
      alter message_id set storage plain`);
    this.addSql('alter table search_messages set (toast_tuple_target = 8160)');
    // The indexer empties the list of entries that are not sorted in yet after each batch.
    this.addSql(
      'create index search_messages_words on search_messages using gin (words) with (fastupdate = on, gin_pending_list_limit = 32768)',
    );
    this.addSql(`create table search_words (
      ${id('workspace_id')}, word text collate "C" not null, n integer not null, variants integer[] not null,
      primary key (workspace_id, word)) with (fillfactor = 85)`);
    this.addSql('create index search_words_variants on search_words using gin (variants)');
    this.addSql(`create table search_gone (
      ${id('workspace_id')}, number bigint generated always as identity, words tsvector not null, primary key (workspace_id, number))`);
  }

  override down(): void {
    for (const table of ['gone', 'words', 'messages', 'buckets', 'workspaces', 'pending'])
      this.addSql(`drop table search_${table}`);
    this.addSql('drop sequence search_bucket_ids');
    this.addSql('drop table leases');
  }
}
