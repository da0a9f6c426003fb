import { Migration } from '@mikro-orm/migrations';

/** The keys by which the server signs mail of its shared domain (ADR 0025). */
export class SigningKeys extends Migration {
  override up(): void {
    this.addSql(`create table signing_keys (
      domain text primary key,
      public_key text not null,
      sealed_key text not null,
      created_at timestamptz(3) not null
    )`);
  }

  override down(): void {
    this.addSql('drop table signing_keys');
  }
}
