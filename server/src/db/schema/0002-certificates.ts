import { Migration } from '@mikro-orm/migrations';

/** The certificates that come by ACME. They are of the whole server. */
export class Certificates extends Migration {
  override up(): void {
    this.addSql(`create table tls_certificates (
      hostname text not null, directory text not null, sealed_pair text, valid_from timestamptz(3), valid_to timestamptz(3),
      proven_by text, due_at timestamptz(3) not null, fence integer not null, failures integer not null, failure text,
      failed_at timestamptz(3),
      primary key (hostname))`);
    this.addSql(`create table acme_accounts (
      directory text not null, sealed_key text not null, created_at timestamptz(3) not null, primary key (directory))`);
    this.addSql(`create table acme_challenges (
      token text not null, hostname text not null, key_authorization text not null, expires_at timestamptz(3) not null,
      primary key (token))`);
  }

  override down(): void {
    this.addSql('drop table tls_certificates, acme_accounts, acme_challenges');
  }
}
