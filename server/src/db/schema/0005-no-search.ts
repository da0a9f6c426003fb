import { Migration } from '@mikro-orm/migrations';

/** No query reads the search vector of a message (ADR 0023). */
export class NoSearch extends Migration {
  override up(): void {
    this.addSql('drop index messages_search');
    this.addSql('alter table messages drop column search');
  }

  override down(): void {
    this.addSql("alter table messages add column search tsvector not null default ''");
    this.addSql('create index messages_search on messages using gin (workspace_id, search)');
  }
}
