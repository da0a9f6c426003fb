import { plannedByIndex } from './planner.ts';

/** Records that from now on the message may have gone to a recipient. Returns false if the caller no longer holds the lease. */
export const markHandedOver = /* sql */ `
create or replace function mark_handed_over(p jsonb) returns boolean language plpgsql ${plannedByIndex} as $$
begin
  update message_recipients set
    status = 'sending', due_at = (p->>'due_at')::timestamptz, updated_at = (p->>'at')::timestamptz
    where workspace_id = p->>'workspace_id' and message_id = p->>'message_id' and address = p->>'address'
      and attempts = (p->>'attempts')::int and due_at is not null and status in ('queued', 'deferred');
  return found;
end $$`;
