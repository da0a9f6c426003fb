import { Migration } from '@mikro-orm/migrations';

/** The tickets of passkeys that were used, so that none is good twice in any process. */
export class UsedTickets extends Migration {
  override up(): void {
    this.addSql(
      'create table used_tickets (token_hash bytea not null primary key, expires_at timestamptz(3) not null)',
    );
    this.addSql('create index used_tickets_by_end on used_tickets (expires_at)');
  }

  override down(): void {
    this.addSql('drop table used_tickets');
  }
}
