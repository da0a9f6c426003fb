import { Migration } from '@mikro-orm/migrations';
import { id } from './0001/columns.ts';

/**
 * Vectors of messages. A search reads the codes of a whole workspace, so they are in a narrow table, and the vectors that it then compares
 * exactly are in another one.
 */
export class SearchVectors extends Migration {
  override up(): void {
    this.addSql(`create table search_codes (
      code bit(768) not null, space int not null, ${id('workspace_id')}, ${id('inbox_id')}, ${id('message_id')},
      primary key (workspace_id, message_id))`);
    // Of a packed value, every comparison would make a copy first.
    this.addSql('alter table search_codes alter code set storage plain');
    this.addSql('create index search_codes_by_inbox on search_codes (workspace_id, inbox_id)');
    this.addSql(`create table search_vectors (
      ${id('workspace_id')}, ${id('message_id')}, vector bytea not null, primary key (workspace_id, message_id))`);
    this.addSql(`create table embedding_pending (
      ${id('workspace_id')}, ${id('message_id')}, is_live boolean not null, primary key (workspace_id, message_id))
      with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`);
    this.addSql('create index embedding_pending_by_age on embedding_pending (is_live, message_id)');
    this.addSql(`create table embedding_progress (
      ${id('workspace_id')}, space int not null, before text collate "C", primary key (workspace_id))`);
  }

  override down(): void {
    for (const table of ['embedding_progress', 'embedding_pending', 'search_vectors', 'search_codes'])
      this.addSql(`drop table ${table}`);
  }
}
