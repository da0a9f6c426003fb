import { Migration } from '@mikro-orm/migrations';
import { id } from './0001/columns.ts';

/** The tokens of the management API. Those of the operator have no workspace. */
export class AdminTokens extends Migration {
  override up(): void {
    this.addSql(`create table admin_tokens (
      ${id('id')}, workspace_id text collate "C", token_hash bytea not null, hint text not null, name text not null,
      rights text[] not null, created_by text collate "C", created_at timestamptz(3) not null, expires_at timestamptz(3) not null,
      last_used_at timestamptz(3), revoked_at timestamptz(3), primary key (id), unique (token_hash),
      foreign key (workspace_id) references workspaces(id))`);
    this.addSql('create index admin_tokens_of_workspace on admin_tokens (workspace_id, id)');
  }

  override down(): void {
    this.addSql('drop table admin_tokens');
  }
}
