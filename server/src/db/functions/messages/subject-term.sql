-- Returns the term by which the `subject` filter finds a word.
create or replace function subject_term(lexeme text) returns text language sql immutable return 'subject:' || lexeme;
