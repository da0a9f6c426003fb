import { plannedByIndex } from './planner.ts';

/**
 * Records that from now on the message may have gone to a recipient. Returns false if the caller no longer holds the lease, or if sending is
 * paused. A pause waits for those that are being recorded, and later ones see it. `again` repeats a record that took long.
 */
export const markHandedOver = /* sql */ `
create or replace function mark_handed_over(p jsonb) returns boolean language plpgsql ${plannedByIndex} as $$
begin
  perform lock_sending('', false);
  perform lock_sending(p->>'workspace_id', false);
  update message_recipients r set
    status = 'sending', due_at = (p->>'due_at')::timestamptz, updated_at = (p->>'at')::timestamptz
    where workspace_id = p->>'workspace_id' and message_id = p->>'message_id' and address = p->>'address'
      and attempts = (p->>'attempts')::int and due_at is not null
      and (status in ('queued', 'deferred') or (p ? 'again' and status = 'sending'))
      and pause_of(r.workspace_id, r.inbox_id, (select m.actor_id from messages m
        where m.workspace_id = r.workspace_id and m.id = r.message_id)) is null;
  return found;
end $$`;
