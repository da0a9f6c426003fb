import { Migration } from '@mikro-orm/migrations';
import { id } from './0001/columns.ts';

/** The queue of messages whose mail is still to be parsed. It is empty unless the machine was busy. */
export class UnparsedMessages extends Migration {
  override up(): void {
    this.addSql(`create table unparsed_messages (
      ${id('workspace_id')}, ${id('message_id')}, remote_address text, helo text, attempts integer not null default 0,
      due_at timestamptz(3) not null, primary key (workspace_id, message_id))`);
  }

  override down(): void {
    this.addSql('drop table unparsed_messages');
  }
}
