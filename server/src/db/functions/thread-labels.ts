import { plannedByIndex } from './planner.ts';

/**
 * Returns the thread of a message and locks it, so that concurrent changes of its labels take turns. Returns null if the message or its
 * thread is gone.
 */
export const lockThreadOf = /* sql */ `
create or replace function lock_thread_of(ws text, msg text) returns threads language plpgsql as $$
declare
  its_thread text;
  thread threads;
begin
  -- Looks again where another thread took the message's over while it was waited for.
  for attempt in 1..1000 loop
    -- Two look-ups by key, since a join could be carried out for all messages.
    select m.thread_id into its_thread from messages m where m.workspace_id = ws and m.id = msg;
    if not found then return null; end if;
    select t.* into thread from threads t where t.workspace_id = ws and t.id = its_thread for no key update;
    if found then return thread; end if;
    if exists (select from deleted_threads d where d.workspace_id = ws and d.thread_id = its_thread) then return null; end if;
  end loop;
  return null;
end $$`;

/** Adds a label that is put on a message to its thread. */
export const labelThread = /* sql */ `
create or replace function label_thread() returns trigger language plpgsql ${plannedByIndex} as $$
declare
  thread threads := lock_thread_of(new.workspace_id, new.message_id);
begin
  if thread.id is not null then
    insert into thread_labels (workspace_id, thread_id, label_id, inbox_id, last_message_at)
      values (new.workspace_id, thread.id, new.label_id, thread.inbox_id, thread.last_message_at) on conflict do nothing;
  end if;
  return null;
end $$`;

/** Removes a label from a thread when it is removed from the last message of the thread that had it. */
export const unlabelThread = /* sql */ `
create or replace function unlabel_thread() returns trigger language plpgsql ${plannedByIndex} as $$
declare
  thread text;
begin
  -- What remains of a label or an inbox that is deleted is removed by the job of its deletion.
  if not exists (select from labels l where l.workspace_id = old.workspace_id and l.id = old.label_id) then return null; end if;
  if exists (select from messages m join inboxes i on i.workspace_id = m.workspace_id and i.id = m.inbox_id
    where m.workspace_id = old.workspace_id and m.id = old.message_id and i.deleted_at is not null) then return null; end if;
  thread := (lock_thread_of(old.workspace_id, old.message_id)).id;
  -- Other messages of the thread are looked up one by one: a join could be carried out for all messages of the label.
  delete from thread_labels where workspace_id = old.workspace_id and thread_id = thread and label_id = old.label_id
    and not exists (select from messages m where m.workspace_id = old.workspace_id and m.thread_id = thread
      and (select true from message_labels l where l.workspace_id = m.workspace_id and l.message_id = m.id
        and l.label_id = old.label_id limit 1));
  return null;
end $$`;

/** Moves a thread in the lists of its labels when a mail joins it. */
export const moveLabelledThread = /* sql */ `
create or replace function move_labelled_thread() returns trigger language plpgsql as $$
begin
  update thread_labels set last_message_at = new.last_message_at where workspace_id = new.workspace_id and thread_id = new.id;
  return null;
end $$`;

/** Creates a trigger only if it is missing, because replacing one locks its table against all writers. */
function trigger(name: string, when: string) {
  return `
do $$ begin
  if not exists (select from pg_trigger where tgname = '${name}' and not tgisinternal) then
    create trigger ${name} ${when} execute function ${name}();
  end if;
end $$`;
}

/** The triggers that run these three functions. */
export const threadLabelTriggers = [
  trigger('label_thread', 'after insert on message_labels for each row'),
  trigger('unlabel_thread', 'after delete on message_labels for each row'),
  trigger(
    'move_labelled_thread',
    'after update of last_message_at on threads for each row when (old.last_message_at is distinct from new.last_message_at)',
  ),
];
