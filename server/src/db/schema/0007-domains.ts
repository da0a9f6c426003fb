import { Migration } from '@mikro-orm/migrations';
import { id } from './0001/columns.ts';

/** Sending domains, and the owner of each verified hostname. */
export class Domains extends Migration {
  override up(): void {
    this.addSql(`create table domains (
      ${id('workspace_id')} references workspaces, ${id('id')}, hostname text collate "C" not null, kind text not null,
      status text not null, dmarc_policy text not null, ownership_token text not null, dkim_selector text not null,
      dkim_private_key text not null, dkim_public_key text not null, checks jsonb not null, checked_at timestamptz(3),
      due_at timestamptz(3), fence integer not null default 0, looking_since timestamptz(3) not null,
      failing_since timestamptz(3), verified_at timestamptz(3), created_at timestamptz(3) not null,
      actor_id text collate "C", request_id text, primary key (workspace_id, id), unique (workspace_id, hostname))`);
    this.addSql('create index domains_due on domains (due_at) where due_at is not null');
    this.addSql('create index domains_by_hostname on domains (hostname)');
    this.addSql(`create table verified_hostnames (
      hostname text collate "C" primary key, ${id('workspace_id')}, ${id('domain_id')})`);
    this.addSql(
      'create index inboxes_of_domain on inboxes (workspace_id, domain_id) where domain_id is not null',
    );
  }

  override down(): void {
    this.addSql('drop index inboxes_of_domain');
    this.addSql('drop table verified_hostnames');
    this.addSql('drop table domains');
  }
}
