import { Migration } from '@mikro-orm/migrations';

/**
 * Scheduled drafts of keys that were revoked failed at their time. They become drafts, as from now on when a key is revoked. Passkeys remember
 * the host name for which they were made.
 */
export class EndsOfKeys extends Migration {
  override up(): void {
    this.addSql(`update drafts d set scheduled_at = null, due_at = null, version = version + 1
      from api_keys k where k.workspace_id = d.workspace_id and k.id = d.actor_id and k.revoked_at is not null
        and d.due_at is not null and d.message_id is null`);
    this.addSql('alter table passkeys add column site text collate "C"');
  }

  override down(): void {
    this.addSql('alter table passkeys drop column site');
  }
}
