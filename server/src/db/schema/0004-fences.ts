import { Migration } from '@mikro-orm/migrations';

/** The fence of a delivery has the name that fences have elsewhere. */
export class Fences extends Migration {
  override up(): void {
    this.addSql('alter table webhook_deliveries rename column claims to fence');
  }

  override down(): void {
    this.addSql('alter table webhook_deliveries rename column fence to claims');
  }
}
