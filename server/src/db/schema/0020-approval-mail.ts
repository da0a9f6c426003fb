import { Migration } from '@mikro-orm/migrations';

/** Mail to people about held messages. */
export class ApprovalMail extends Migration {
  override up(): void {
    // Null while the person has not chosen: owners get the mail, and members do not.
    this.addSql('alter table memberships add column approval_mail boolean');
    this.addSql(
      'create index approvals_by_notice on approvals (workspace_id, notified_at) where notified_at is not null',
    );
  }

  override down(): void {
    this.addSql('drop index approvals_by_notice');
    this.addSql('alter table memberships drop column approval_mail');
  }
}
