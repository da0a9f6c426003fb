import { Migration } from '@mikro-orm/migrations';

/** Remembers which workspaces have an audit log, apart from the log. */
export class AuditBegan extends Migration {
  override up(): void {
    this.addSql('alter table workspaces add column audit_began boolean not null default false');
    this.addSql(
      'update workspaces set audit_began = true where id in (select workspace_id from audit_heads where seq > 0)',
    );
  }

  override down(): void {
    this.addSql('alter table workspaces drop column audit_began');
  }
}
