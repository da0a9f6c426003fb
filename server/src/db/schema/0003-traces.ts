import { Migration } from '@mikro-orm/migrations';

/** The span that stored a message. Without traces it is null, which takes no room in a row. */
export class Traces extends Migration {
  override up(): void {
    this.addSql('alter table messages add column traceparent text');
  }

  override down(): void {
    this.addSql('alter table messages drop column traceparent');
  }
}
