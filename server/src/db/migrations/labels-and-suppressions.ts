import { Migration } from '@mikro-orm/migrations';

/**
 * What the lists of labels and suppressions are sorted by. `name_key` is the name of a label in the one spelling in which names
 * are compared; it is made by the server, because what a database takes for the same letter depends on where it was set up.
 */
export class LabelsAndSuppressions extends Migration {
  override up(): void {
    this.addSql('drop index labels_by_name');
    this.addSql('alter table labels add column name_key text collate "C" not null');
    this.addSql('create unique index labels_by_name on labels (workspace_id, name_key)');
    this.addSql(
      'alter table message_labels add column api_key_id text collate "C", add column request_id text',
    );
    this.addSql('create index suppressions_by_time on suppressions (workspace_id, created_at, address)');
  }
}
