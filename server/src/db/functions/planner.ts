/**
 * Statements of a function are planned once for each connection: to plan them anew for each call costs as much as carrying them out,
 * and every look-up has one way. None reads a table whole: a plan that is made while a table has one page would go on doing so when it
 * has many. None is compiled: the planner takes a batch for thousands of rows, and compiling takes ten times as long as a mail.
 */
export const plannedByIndex =
  'set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off';

/** Rows are looked up by their keys, one by one, and never joined with all of a table. */
export const byNestedLoops = 'set enable_hashjoin = off set enable_mergejoin = off';
