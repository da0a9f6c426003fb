import { Migration } from '@mikro-orm/migrations';

/** Who wrote a draft, whoever changed or sent it afterwards. */
export class Writers extends Migration {
  override up(): void {
    this.addSql('alter table drafts add column writer_id text collate "C"');
    this.addSql('update drafts set writer_id = actor_id');
    // Null if the sender wrote it.
    this.addSql('alter table messages add column writer_id text collate "C"');
    this.addSql(`update messages m set writer_id = d.actor_id from drafts d
      where d.workspace_id = m.workspace_id and d.message_id = m.id and d.actor_id is distinct from m.actor_id`);
  }

  override down(): void {
    this.addSql('alter table messages drop column writer_id');
    this.addSql('alter table drafts drop column writer_id');
  }
}
