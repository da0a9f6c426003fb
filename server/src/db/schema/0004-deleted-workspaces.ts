import { Migration } from '@mikro-orm/migrations';

/**
 * Deleted workspaces. Their rows are kept as long as their audit log, and other workspaces can have their names. `purge_at` is the time at
 * which a worker must continue to remove their data; null once nothing is left.
 */
export class DeletedWorkspaces extends Migration {
  override up(): void {
    this.addSql('alter table workspaces add deleted_at timestamptz(3), add purge_at timestamptz(3)');
    this.addSql('alter table workspaces drop constraint workspaces_name_key');
    this.addSql('create unique index workspaces_by_name on workspaces (name) where deleted_at is null');
    this.addSql('create index workspaces_to_purge on workspaces (purge_at) where purge_at is not null');
  }

  override down(): void {
    throw new Error('Two workspaces may have one name by now: restore a backup instead.');
  }
}
