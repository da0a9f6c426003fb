import { Migration } from '@mikro-orm/migrations';
import { settleMessage } from './settle-message.ts';
import { storeMessages } from './store-message.ts';

/**
 * A mail that names nothing that is known joins the oldest thread that waits for what it names. Up to 600 ids of a mail are looked
 * up, of which the first 100 are locked.
 */
export class JoinWaitingThreads extends Migration {
  override up(): void {
    this.addSql(settleMessage);
    this.addSql(storeMessages);
  }
}
