import { Migration } from '@mikro-orm/migrations';

/**
 * Events about drafts, which may have no message; recipients whose mail the sandbox kept; and what was asked for with a `client_id`, as a
 * hash.
 */
export class MoreEvents extends Migration {
  override up(): void {
    this.addSql(
      'alter table events alter column thread_id drop not null, alter column message_id drop not null',
    );
    this.addSql('alter table message_recipients add column sandboxed boolean not null default false');
    this.addSql(
      `update message_recipients set status = 'sent', sandboxed = true where status = 'delivered' and detail = 'sandbox: not sent'`,
    );
    this.addSql('alter table client_ids add column request_hash bytea');
  }

  override down(): void {
    this.addSql('alter table client_ids drop column request_hash');
    this.addSql('alter table message_recipients drop column sandboxed');
    this.addSql('delete from events where message_id is null');
    this.addSql(
      'alter table events alter column thread_id set not null, alter column message_id set not null',
    );
  }
}
