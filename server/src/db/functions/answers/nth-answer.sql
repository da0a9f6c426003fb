-- Returns when the answer was sent that is the `nth` from the end of a conversation, or null if there are fewer. The messages come oldest
-- first. Each sent message answers one received message that no other answers; one that finds none is no answer. Null also if nothing is
-- left to answer, because the next message is then no answer, however many there were.
create or replace function nth_answer(sent boolean[], at timestamptz[], nth int) returns timestamptz language plpgsql immutable as $$
declare
  unanswered int := 0;
  answers timestamptz[] := '{}';
begin
  for i in 1..coalesce(cardinality(sent), 0) loop
    if not sent[i] then
      unanswered := unanswered + 1;
    elsif unanswered > 0 then
      unanswered := unanswered - 1;
      answers := answers || at[i];
    end if;
  end loop;
  if unanswered = 0 or cardinality(answers) < nth then return null; end if;
  return answers[cardinality(answers) - nth + 1];
end $$;
