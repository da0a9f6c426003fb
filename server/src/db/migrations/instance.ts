import { Migration } from '@mikro-orm/migrations';

/** One row about the whole server, made at the first start: the id of the root secret, by which another one is noticed. */
export class Instance extends Migration {
  override up(): void {
    this.addSql(
      'create table instance (one boolean primary key check (one), secret_id text collate "C" not null)',
    );
  }
}
