import { Migration } from '@mikro-orm/migrations';

/**
 * Drafts and their files. `due_at` is when a worker has to look at a draft: its time, or later while one is at work or has to
 * try again; null where nothing is scheduled. Every change raises `version`, so that whoever sends a draft notices one in between.
 * The bytes of files are rows, since they change together with the draft; like originals they are not packed.
 */
export class Drafts extends Migration {
  override up(): void {
    this.addSql(`create table drafts (
      ${id('workspace_id')}, ${id('id')}, ${id('inbox_id')}, to_addrs text[] not null, cc_addrs text[] not null,
      bcc_addrs text[] not null, subject text, body_text text, body_html text, reply_to_message_id text collate "C",
      scheduled_at timestamptz(3), due_at timestamptz(3), attempts integer not null, version integer not null,
      message_id text collate "C", failure text, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
      api_key_id text collate "C", request_id text, primary key (workspace_id, id))`);
    this.addSql('create index drafts_of_inbox on drafts (workspace_id, inbox_id, id)');
    this.addSql('create index drafts_unsent on drafts (workspace_id, id) where message_id is null');
    this.addSql(
      'create index drafts_of_message on drafts (workspace_id, message_id) where message_id is not null',
    );
    this.addSql('create index drafts_due on drafts (due_at) where due_at is not null');
    this.addSql(`create table draft_files (
      ${id('workspace_id')}, ${id('id')}, ${id('inbox_id')}, ${id('draft_id')}, position integer not null,
      filename text not null, content_type text not null, size_bytes integer not null, content_id text, inline boolean not null,
      content bytea not null, primary key (workspace_id, id))`);
    this.addSql('alter table draft_files alter column content set storage external');
    // Costs a send nothing: no recipient begins as rejected, and each change of its status rewrites the other indexes anyway.
    this.addSql(`create index message_recipients_rejected on message_recipients (workspace_id, message_id)
      where status = 'rejected'`);
    this.addSql('create index draft_files_of_draft on draft_files (workspace_id, draft_id, position)');
  }
}

const id = (name: string) => `${name} text collate "C" not null`;
