import { Migration } from '@mikro-orm/migrations';

/** Counts the recipients that are to be delivered to, by status, and finds the one of each that is due first. */
export class RecipientsByStatus extends Migration {
  override up(): void {
    this.addSql(
      'create index message_recipients_by_status on message_recipients (status, due_at) where due_at is not null',
    );
  }

  override down(): void {
    this.addSql('drop index message_recipients_by_status');
  }
}
