import { Migration } from '@mikro-orm/migrations';
import { storing } from './store-message.ts';

/**
 * Mails that are stored together are written by one statement for each table. `store_message`, which stores one, stays for processes
 * that were started before.
 */
export class StoreInBatches extends Migration {
  override up(): void {
    for (const statement of storing) this.addSql(statement);
  }
}
