import { Migration } from '@mikro-orm/migrations';

/**
 * Claims find rows by their keys and go along the index of what is due, whatever the planner knew when it made the plan: one that
 * was made while the table was small joined by reading all of a queue, for a thousand deliveries of a deleted webhook a thousand
 * times, at each claim and for as long as the connection lived.
 */
export class ClaimByIndex extends Migration {
  override up(): void {
    for (const other of ['enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_material'])
      this.addSql(`alter function claim_deliveries(jsonb) set ${other} = off`);
  }
}
