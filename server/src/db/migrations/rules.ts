import { Migration } from '@mikro-orm/migrations';

/** The allow and block lists. Both indexes lead with what is known of a mail: whose it is, and what might match. */
export class Rules extends Migration {
  override up(): void {
    this.addSql(`create table rules (
      workspace_id text collate "C" not null, id text collate "C" not null, kind text not null, direction text not null,
      pattern text collate "C" not null, created_at timestamptz(3) not null, api_key_id text collate "C", request_id text,
      primary key (workspace_id, id))`);
    this.addSql('create unique index rules_by_pattern on rules (workspace_id, pattern, kind, direction)');
    // Tells with one probe that a workspace has no rule for its inbound mail, however many it has for what it sends.
    this.addSql(`create index inbound_rules on rules (workspace_id, pattern) where direction <> 'outbound'`);
  }

  override down(): void {
    this.addSql('drop table rules');
  }
}
