import { Migration } from '@mikro-orm/migrations';

/**
 * `sequence_events(int)`: gives up to so many events their positions, in the order of their insertion, and answers how many; 0
 * also while another transaction does it, which holds the lock until its commit. The rows are looked for after the lock was
 * taken, so none that another sequencer has ordered is found. One by one, since a plan for all may join each with each.
 */
export class SequenceEvents extends Migration {
  override up(): void {
    this.addSql(sequenceEvents);
  }
}

const sequenceEvents = `
create function sequence_events(most int) returns int language plpgsql set enable_seqscan = off as $$
declare
  ordered int := 0;
  next record;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('sequence events', 0)) then return 0; end if;
  for next in select workspace_id, id from events where position is null order by insertion limit most loop
    update events set position = nextval('event_positions') where workspace_id = next.workspace_id and id = next.id;
    ordered := ordered + 1;
  end loop;
  return ordered;
end $$`;
