import { Migration } from '@mikro-orm/migrations';

/** Whether the HTML of a message has text that a person does not see. */
export class HiddenText extends Migration {
  override up(): void {
    this.addSql('alter table messages add column hidden_text boolean not null default false');
  }

  override down(): void {
    this.addSql('alter table messages drop column hidden_text');
  }
}
