-- Returns how many mails of a subject were counted since a time, with the settings of `store_sends`, for which `require_decided` calls it.
create or replace function mails_since(ws text, counted text, since timestamptz) returns bigint language plpgsql stable as $$
begin
  return (select coalesce(sum(c.amount), 0) from send_counts c where c.workspace_id = ws and c.subject = counted and c.slot > since);
end $$;
