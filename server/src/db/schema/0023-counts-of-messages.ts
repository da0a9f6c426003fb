import { Migration } from '@mikro-orm/migrations';

/** Counts of caps are only ever inserted, a row for each message, and added up later. An update of one row costs a send more. */
export class CountsOfMessages extends Migration {
  override up(): void {
    this.addSql('alter table send_counts drop constraint send_counts_pkey');
    this.addSql(`alter table send_counts add column message_id text collate "C" not null default ''`);
    // Counts of one slot stay apart until they are added up.
    this.addSql('update send_counts set message_id = shard::text');
    this.addSql('alter table send_counts alter column message_id drop default, drop column shard');
    this.addSql('alter table send_counts reset (fillfactor)');
    this.addSql('alter table send_counts add primary key (workspace_id, subject, slot, message_id)');
  }

  override down(): void {
    this.addSql('alter table send_counts drop constraint send_counts_pkey');
    this.addSql('alter table send_counts add column shard int not null default 0');
    this.addSql(`update send_counts c set shard = n from (
      select ctid as place, row_number() over (partition by workspace_id, subject, slot) as n from send_counts) numbered
      where c.ctid = place`);
    this.addSql('alter table send_counts alter column shard drop default, drop column message_id');
    this.addSql('alter table send_counts set (fillfactor = 70)');
    this.addSql('alter table send_counts add primary key (workspace_id, subject, slot, shard)');
  }
}
