import { Migration } from '@mikro-orm/migrations';
import { storing } from './store-message.ts';

/** What lists are filtered by: terms of messages, and indexes that have the messages of each kind together. */
export class ListTerms extends Migration {
  override up(): void {
    for (const statement of [...tables, subjectTerm, ...storing, fill]) this.addSql(statement);
  }
}

const tables = [
  'alter table message_labels add column inbox_id text collate "C"',
  `update message_labels l set inbox_id = m.inbox_id from messages m where m.workspace_id = l.workspace_id and m.id = l.message_id`,
  'delete from message_labels where inbox_id is null',
  'alter table message_labels alter column inbox_id set not null',
  'create index messages_of_label_in_inbox on message_labels (workspace_id, label_id, inbox_id, message_id)',
  `create table message_terms (
    workspace_id text collate "C" not null, term text collate "C" not null, message_id text collate "C" not null,
    primary key (workspace_id, term, message_id))`,
  'drop index messages_of_inbox',
  'create index messages_of_inbox on messages (workspace_id, inbox_id, direction, has_attachments, id)',
  'create index messages_by_kind on messages (workspace_id, direction, has_attachments, id)',
];

const subjectTerm = `
create function subject_term(lexeme text) returns text language sql immutable return 'subject:' || lexeme`;

/** Addresses are lexemes of the search vector, and its words of the weight A are those of the subject. */
const fill = `
insert into message_terms (workspace_id, term, message_id)
  select m.workspace_id, l.lexeme, m.id from messages m, lateral unnest(m.search) l where l.lexeme ~ '^(from|to):.*@'
  union select m.workspace_id, subject_term(l.lexeme), m.id from messages m, lateral unnest(m.search) l
    where 'A' = any(l.weights) and length(l.lexeme) <= 255`;
