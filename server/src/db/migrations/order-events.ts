import { Migration } from '@mikro-orm/migrations';

/**
 * `order_events(int)`: gives up to so many events their positions, in the order of their insertion, and answers how many and of
 * which workspaces; none also while another transaction does it, which holds the lock until its commit. The rows are looked for
 * after the lock was taken, so none that another sequencer has ordered is found. One by one, since a plan for all may join each
 * with each.
 */
export class OrderEvents extends Migration {
  override up(): void {
    this.addSql('drop function sequence_events(int)');
    this.addSql(orderEvents);
  }
}

const orderEvents = `
create function order_events(most int, out ordered int, out workspaces text[])
  language plpgsql set enable_seqscan = off as $$
declare
  next record;
begin
  ordered := 0;
  workspaces := '{}';
  if not pg_try_advisory_xact_lock(hashtextextended('sequence events', 0)) then return; end if;
  for next in select workspace_id, id from events where position is null order by insertion limit most loop
    update events set position = nextval('event_positions') where workspace_id = next.workspace_id and id = next.id;
    ordered := ordered + 1;
    if not next.workspace_id = any(workspaces) then workspaces := workspaces || next.workspace_id; end if;
  end loop;
end $$`;
