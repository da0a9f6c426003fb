import { Migration } from '@mikro-orm/migrations';
import { recordDelivery } from './record-delivery.ts';

/**
 * Providers report on a message by the id that they gave it. What never left this server has none, and is not in the index.
 *
 * A database of before gets the `record_delivery` that keeps the id also where a report was there before the relay's answer.
 */
export class ProviderIds extends Migration {
  override up(): void {
    this.addSql(`create index message_recipients_of_provider on message_recipients (provider_message_id)
      where provider_message_id is not null`);
    this.addSql(recordDelivery);
  }
}
