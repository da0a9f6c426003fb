-- Returns how many more deliveries of one lane a process may take on. A failing webhook gets few at a time.
create or replace function webhook_room(p jsonb, webhook text, lane text, failing boolean) returns int language sql immutable as $$
  select case when failing then (p->>'failing_max')::int else (p->>(lane || '_max'))::int end
    - coalesce((p->'busy'->webhook->>lane)::int, 0)
$$;
