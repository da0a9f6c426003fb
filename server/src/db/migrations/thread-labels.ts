import { Migration } from '@mikro-orm/migrations';

/**
 * `thread_labels`: the labels that each thread has by its messages, with the time of the thread's last message, so that the threads
 * of a label are listed in their order without looking at all of its messages. Triggers keep it: on a label put on a message
 * or taken off, and on mail that joins a thread with labels. Each locks the thread, so that what two do at once is done in turn.
 * None reads a table whole: a plan that is made while a table has a page would go on doing so when it has many.
 */
export class ThreadLabels extends Migration {
  override up(): void {
    for (const statement of [...table, lockThread, label, unlabel, move, ...triggers, ...fill])
      this.addSql(statement);
  }
}

const id = (name: string) => `${name} text collate "C" not null`;

const table = [
  `create table thread_labels (
    ${id('workspace_id')}, ${id('thread_id')}, ${id('label_id')}, ${id('inbox_id')},
    last_message_at timestamptz(3) not null, primary key (workspace_id, thread_id, label_id))`,
  'create index threads_of_label on thread_labels (workspace_id, label_id, last_message_at, thread_id)',
  'create index threads_of_label_in_inbox on thread_labels (workspace_id, label_id, inbox_id, last_message_at, thread_id)',
];

/**
 * Looks again where another thread took the message's over while it was waited for; null where the message or its thread has gone. Two look-ups by
 * key, since a join could be carried out for all messages.
 */
export const lockThread = `
create or replace function lock_thread_of(ws text, msg text) returns threads language plpgsql as $$
declare
  its_thread text;
  thread threads;
begin
  for attempt in 1..1000 loop
    select m.thread_id into its_thread from messages m where m.workspace_id = ws and m.id = msg;
    if not found then return null; end if;
    select t.* into thread from threads t where t.workspace_id = ws and t.id = its_thread for no key update;
    if found then return thread; end if;
    if exists (select from deleted_threads d where d.workspace_id = ws and d.thread_id = its_thread) then return null; end if;
  end loop;
  return null;
end $$`;

const label = `
create function label_thread() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  thread threads := lock_thread_of(new.workspace_id, new.message_id);
begin
  if thread.id is not null then
    insert into thread_labels values (new.workspace_id, thread.id, new.label_id, thread.inbox_id, thread.last_message_at)
      on conflict do nothing;
  end if;
  return null;
end $$`;

/**
 * What remains of a label or an inbox that is deleted is removed by the job of its deletion. Whether another message of the thread has the
 * label is looked up one by one: a join could be carried out for all messages of the label.
 */
const unlabel = `
create function unlabel_thread() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  thread text;
begin
  if not exists (select from labels l where l.workspace_id = old.workspace_id and l.id = old.label_id) then return null; end if;
  if exists (select from messages m join inboxes i on i.workspace_id = m.workspace_id and i.id = m.inbox_id
    where m.workspace_id = old.workspace_id and m.id = old.message_id and i.deleted_at is not null) then return null; end if;
  thread := (lock_thread_of(old.workspace_id, old.message_id)).id;
  delete from thread_labels where workspace_id = old.workspace_id and thread_id = thread and label_id = old.label_id
    and not exists (select from messages m where m.workspace_id = old.workspace_id and m.thread_id = thread
      and (select true from message_labels l where l.workspace_id = m.workspace_id and l.message_id = m.id
        and l.label_id = old.label_id limit 1));
  return null;
end $$`;

const move = `
create function move_labelled_thread() returns trigger language plpgsql as $$
begin
  update thread_labels set last_message_at = new.last_message_at where workspace_id = new.workspace_id and thread_id = new.id;
  return null;
end $$`;

const triggers = [
  'create trigger label_thread after insert on message_labels for each row execute function label_thread()',
  'create trigger unlabel_thread after delete on message_labels for each row execute function unlabel_thread()',
  `create trigger move_labelled_thread after update of last_message_at on threads for each row
    when (old.last_message_at is distinct from new.last_message_at) execute function move_labelled_thread()`,
];

const fill = [
  `insert into thread_labels select distinct t.workspace_id, t.id, l.label_id, t.inbox_id, t.last_message_at
    from message_labels l join messages m on m.workspace_id = l.workspace_id and m.id = l.message_id
    join threads t on t.workspace_id = m.workspace_id and t.id = m.thread_id`,
];
