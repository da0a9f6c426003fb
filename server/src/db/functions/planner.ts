/**
 * Statements of a function are planned once per connection, because planning them for each call costs as much as running them, and every
 * look-up has only one good plan. None reads a whole table, because a plan from a time when a table had one page would still do so when it
 * has many. None is compiled, because the planner expects thousands of rows from a batch, and compiling takes ten times as long as a mail.
 */
export const plannedByIndex =
  'set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off';

/** Rows are looked up by their keys, one by one, and never joined with a whole table. */
export const byNestedLoops = 'set enable_hashjoin = off set enable_mergejoin = off';
