import { Migration } from '@mikro-orm/migrations';

/** Due recipients are found by destination, so that those of one do not delay those of another. */
export class Destinations extends Migration {
  override up(): void {
    this.addSql('drop index message_recipients_due');
    this.addSql(
      `create index message_recipients_due on message_recipients (lower(split_part(address, '@', -1)), due_at) where due_at is not null`,
    );
  }

  override down(): void {
    this.addSql('drop index message_recipients_due');
    this.addSql(
      'create index message_recipients_due on message_recipients (due_at) where due_at is not null',
    );
  }
}
