import { Migration } from '@mikro-orm/migrations';

/**
 * Puts the codes of messages into the primary key of their table, where those of one workspace are next to each other. In the table they stand
 * between the codes of all others, so that a search would read most of its pages.
 */
export class CodesByWorkspace extends Migration {
  override up(): void {
    this.addSql('alter table search_codes drop constraint search_codes_pkey');
    this.addSql(
      'alter table search_codes add primary key (workspace_id, message_id) include (space, inbox_id, code)',
    );
    // Rows of pages that are not vacuumed yet are looked up in the table after all.
    this.addSql(
      'alter table search_codes set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 5000)',
    );
  }

  override down(): void {
    this.addSql('alter table search_codes drop constraint search_codes_pkey');
    this.addSql('alter table search_codes add primary key (workspace_id, message_id)');
    this.addSql(
      'alter table search_codes reset (autovacuum_vacuum_insert_scale_factor, autovacuum_vacuum_insert_threshold)',
    );
  }
}
