import { Migration } from '@mikro-orm/migrations';

/**
 * Parts what owners call their workspace from the name by which operators and the configuration know it. Workspaces that owners had renamed get
 * back the name that they had first, if the audit log still has it and no other workspace took it meanwhile.
 */
export class WorkspaceTitles extends Migration {
  override up(): void {
    this.addSql('alter table workspaces add column title text');
    this.addSql('update workspaces set title = name');
    this.addSql('alter table workspaces alter column title set not null');
    // One at a time, because a name may become free only when its holder gets back its own.
    this.addSql(`do $$ begin
      loop
        update workspaces w set name = f.name from (
          select distinct on (workspace_id) workspace_id, before->>'name' as name from audit_entries
            where action = 'workspace.renamed' order by workspace_id, seq) f
          where f.workspace_id = w.id and w.id = (
            select c.id from workspaces c join (
              select distinct on (workspace_id) workspace_id, before->>'name' as name from audit_entries
                where action = 'workspace.renamed' order by workspace_id, seq) g on g.workspace_id = c.id
              where g.name is not null and not exists (select from workspaces o where o.name = g.name)
              order by c.id limit 1);
        exit when not found;
      end loop;
    end $$`);
  }

  override down(): void {
    this.addSql('alter table workspaces drop column title');
  }
}
