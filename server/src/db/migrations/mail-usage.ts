import { Migration } from '@mikro-orm/migrations';
import { storing } from './store-message.ts';

/**
 * `mail_bytes`: what originals and bodies of stored mail take, counted in the usage ledger as mail is stored, and given back as it
 * is removed. What is there by now is added up once, from the rows alone: the length of a text is known without unpacking it.
 * Processes that were started before count too, by the function that they call; what one of them stores at this very moment may be
 * missed, so `mail_bytes_of(text)`, which is what a workspace stores, never goes below nothing.
 *
 * The index finds the addresses that a workspace holds, oldest first.
 */
export class MailUsage extends Migration {
  override up(): void {
    for (const statement of [...storing, mailBytesOf, addUpMail, heldAddresses]) this.addSql(statement);
  }
}

const mailBytesOf = `
create function mail_bytes_of(ws text) returns bigint language plpgsql stable
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  return greatest(0,
    (select coalesce(sum(t.amount), 0) from usage_totals t where t.workspace_id = ws and t.kind = 'mail_bytes')
      + (select coalesce(sum(l.amount), 0) from usage_ledger l where l.workspace_id = ws and l.kind = 'mail_bytes'));
end $$`;

/** Enters what each workspace stores into the ledger. */
export const addUpMail = `
insert into usage_ledger (workspace_id, kind, amount, at)
  select workspace_id, 'mail_bytes', sum(mail_bytes(size_bytes, body_text, body_html, extracted_text)), max(created_at)
  from messages group by workspace_id`;

const heldAddresses =
  'create index held_addresses on addresses (workspace_id, held_until) where held_until is not null';
