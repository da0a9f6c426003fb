-- Creates each trigger only if it is missing, because replacing one locks its table against all writers.
do $$ begin
  if not exists (select from pg_trigger where tgname = 'label_thread' and not tgisinternal) then
    create trigger label_thread after insert on message_labels for each row execute function label_thread();
  end if;
end $$;

do $$ begin
  if not exists (select from pg_trigger where tgname = 'unlabel_thread' and not tgisinternal) then
    create trigger unlabel_thread after delete on message_labels for each row execute function unlabel_thread();
  end if;
end $$;

do $$ begin
  if not exists (select from pg_trigger where tgname = 'move_labelled_thread' and not tgisinternal) then
    create trigger move_labelled_thread after update of last_message_at on threads for each row when (old.last_message_at is distinct from new.last_message_at) execute function move_labelled_thread();
  end if;
end $$;
