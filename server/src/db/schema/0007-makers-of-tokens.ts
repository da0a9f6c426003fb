import { Migration } from '@mikro-orm/migrations';

/** A token of a workspace has a maker, and one of the operator has neither, so none becomes the operator's by losing its workspace. */
export class MakersOfTokens extends Migration {
  override up(): void {
    this.addSql(
      'alter table admin_tokens add constraint admin_tokens_of_maker check ((workspace_id is null) = (created_by is null))',
    );
  }

  override down(): void {
    this.addSql('alter table admin_tokens drop constraint admin_tokens_of_maker');
  }
}
