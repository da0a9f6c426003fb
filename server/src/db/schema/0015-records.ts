import { Migration } from '@mikro-orm/migrations';
import { id } from './0001/columns.ts';

/**
 * The log of requests by API keys, usage by day, and the order in which decisions of SMTP are listed: those of a workspace, and those about
 * addresses that lead to no workspace, by their host.
 */
export class Records extends Migration {
  override up(): void {
    this.addSql(`create table api_requests (
      ${id('workspace_id')}, at timestamptz(3) not null, ${id('id')}, ${id('key_id')}, method text not null, path text not null,
      status int not null, error text, duration_ms int not null, skipped int not null, primary key (workspace_id, at, id))`);
    this.addSql('create index api_requests_by_time on api_requests using brin (at)');
    this.addSql(`create table usage_days (
      ${id('workspace_id')}, day date not null, kind text not null, amount bigint not null, primary key (workspace_id, day, kind))`);
    this.addSql('create index usage_days_by_day on usage_days using brin (day)');
    this.addSql('drop index smtp_decisions_of_workspace');
    this.addSql(
      'create index smtp_decisions_of_workspace on smtp_decisions (workspace_id, id) where workspace_id is not null',
    );
    // A recipient may be longer than an entry of an index.
    this.addSql(`create index smtp_decisions_of_host
      on smtp_decisions (left(rtrim(lower(split_part(rcpt_to, '@', -1)), '.'), 255), id)
      where workspace_id is null and rcpt_to is not null`);
  }

  override down(): void {
    this.addSql('drop index smtp_decisions_of_host');
    this.addSql('drop index smtp_decisions_of_workspace');
    this.addSql('create index smtp_decisions_of_workspace on smtp_decisions (workspace_id, at)');
    this.addSql('drop table usage_days');
    this.addSql('drop table api_requests');
  }
}
