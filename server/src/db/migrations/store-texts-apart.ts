import { Migration } from '@mikro-orm/migrations';
import { storing } from './store-message.ts';

/**
 * Bodies and originals go to the database as lists beside the JSON of their mails. `store_messages` of four parameters stays for the
 * processes that were started before.
 */
export class StoreTextsApart extends Migration {
  override up(): void {
    for (const statement of storing) this.addSql(statement);
  }
}
