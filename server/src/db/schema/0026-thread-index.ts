import { Migration } from '@mikro-orm/migrations';

/** Outlook's own field for the conversation of a mail, which answers carry on. */
export class ThreadIndex extends Migration {
  override up(): void {
    this.addSql('alter table messages add column thread_index text');
  }

  override down(): void {
    this.addSql('alter table messages drop column thread_index');
  }
}
