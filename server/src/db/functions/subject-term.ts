/** Returns the term by which the `subject` filter finds a word. */
export const subjectTerm = /* sql */ `
create or replace function subject_term(lexeme text) returns text language sql immutable return 'subject:' || lexeme`;
