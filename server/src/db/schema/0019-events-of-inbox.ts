import { Migration } from '@mikro-orm/migrations';

/** The log of an inbox in its order, for keys that people have limited to some inboxes. */
export class EventsOfInbox extends Migration {
  override up(): void {
    this.addSql(
      'create index events_of_inbox on events (workspace_id, inbox_id, position) where position is not null',
    );
  }

  override down(): void {
    this.addSql('drop index events_of_inbox');
  }
}
