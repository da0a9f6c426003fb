import { Migration } from '@mikro-orm/migrations';
import { storeMessages } from './store-message.ts';

/**
 * `cut_fields`: the fields of a message that hold less than its mail had, such as `attachments` where there were too many files.
 * Processes that were started before name none.
 */
export class CutFields extends Migration {
  override up(): void {
    this.addSql(`alter table messages add column cut_fields text[] not null default '{}'`);
    this.addSql(storeMessages);
  }
}
