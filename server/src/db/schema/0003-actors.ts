import { Migration } from '@mikro-orm/migrations';

const tables = [
  'inboxes',
  'messages',
  'drafts',
  'labels',
  'message_labels',
  'suppressions',
  'rules',
  'webhooks',
  'webhook_deliveries',
];

/** A row names the actor that created it, which is an API key or, without an id, the server itself. */
export class Actors extends Migration {
  override up(): void {
    for (const table of tables) this.addSql(`alter table ${table} rename column api_key_id to actor_id`);
  }

  override down(): void {
    for (const table of tables) this.addSql(`alter table ${table} rename column actor_id to api_key_id`);
  }
}
