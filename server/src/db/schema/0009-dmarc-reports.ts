import { Migration } from '@mikro-orm/migrations';
import { id } from './0001/columns.ts';

/** Mail that receivers count in DMARC reports on a domain, and the reports that were counted. */
export class DmarcReports extends Migration {
  override up(): void {
    this.addSql(`create table dmarc_counts (
      ${id('workspace_id')}, ${id('domain_id')}, day date not null, is_own boolean not null, source text collate "C" not null,
      passed bigint not null, failed bigint not null, primary key (workspace_id, domain_id, day, is_own, source))`);
    this.addSql('create index dmarc_counts_by_day on dmarc_counts (day)');
    this.addSql(`create table seen_dmarc_reports (
      ${id('workspace_id')}, ${id('domain_id')}, reporter text collate "C" not null, hash bytea not null,
      received_at timestamptz(3) not null, primary key (workspace_id, domain_id, reporter, hash))`);
    this.addSql('create index seen_dmarc_reports_by_time on seen_dmarc_reports (received_at)');
  }

  override down(): void {
    this.addSql('drop table seen_dmarc_reports');
    this.addSql('drop table dmarc_counts');
  }
}
