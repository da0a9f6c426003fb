import { Migration } from '@mikro-orm/migrations';
import { storing } from './store-message.ts';

/**
 * Mails that are stored together are written by one statement for each table. Where there is `store_message`, which stores one, it
 * stays for the processes that were started before.
 */
export class StoreInBatches extends Migration {
  override up(): void {
    for (const statement of storing) this.addSql(statement);
  }
}
