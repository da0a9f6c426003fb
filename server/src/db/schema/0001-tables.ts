import { Migration } from '@mikro-orm/migrations';
import { control } from './0001/control.ts';
import { domains } from './0001/domains.ts';
import { drafts } from './0001/drafts.ts';
import { mail } from './0001/mail.ts';
import { organising } from './0001/organising.ts';
import { people } from './0001/people.ts';
import { records } from './0001/records.ts';
import { search } from './0001/search.ts';
import { tenancy } from './0001/tenancy.ts';
import { webhooks } from './0001/webhooks.ts';

/**
 * The tables of the first release. Keys begin with `workspace_id`, so that the data can be partitioned by workspace. Tables whose keys do
 * not are global: `addresses` and `api_keys` lead to a workspace, and a mail in `spooled_mail` may be for several. Ids compare in byte
 * order (`collate "C"`), which is the order of their creation.
 */
export class Tables extends Migration {
  override up(): void {
    const ofWorkspaces = [tenancy, people, control, domains, records];
    const ofMail = [mail, drafts, organising, webhooks, search];
    for (const statement of [...ofWorkspaces, ...ofMail].flat()) this.addSql(statement);
  }

  override down(): void {
    throw new Error('The first schema has no way back: restore a backup instead.');
  }
}
