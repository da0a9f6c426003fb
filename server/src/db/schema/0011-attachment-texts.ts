import { Migration } from '@mikro-orm/migrations';
import { id } from './0001/columns.ts';

/** The texts of attachments, which the search index has (ADR 0030). */
export class AttachmentTexts extends Migration {
  override up(): void {
    // `due_at` is when a file that is `pending` may be read, and null for any other. Every claim raises `tries`.
    this.addSql(`create table attachment_texts (
      ${id('workspace_id')}, ${id('message_id')}, ${id('attachment_id')}, status text not null, text text,
      due_at timestamptz(3), tries integer not null default 0, primary key (workspace_id, message_id, attachment_id))`);
    this.addSql(`do $$ begin
      if (select 'lz4' = any(enumvals) from pg_settings where name = 'default_toast_compression') then
        alter table attachment_texts alter text set compression lz4;
      end if;
    end $$`);
    // A worker takes the newest message of a workspace first, so that old mail which is being indexed does not hold up new mail.
    this.addSql(`create index attachment_texts_pending on attachment_texts (workspace_id, message_id desc)
      where status = 'pending'`);
  }

  override down(): void {
    this.addSql('drop table attachment_texts');
  }
}
