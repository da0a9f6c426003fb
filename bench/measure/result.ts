import type { Options } from '../run/group.ts';
import type { Comparison } from './compare.ts';
import type { Outcome } from './goal.ts';
import type { Machine } from './machine.ts';
import type { Table } from './table.ts';

/** One run of a group, as it is written to its file. */
export interface Result extends Options {
  group: string;
  at: string;
  /** Seconds. */
  took: number;
  machine: Machine;
  versions: Record<string, string>;
  outcomes: Outcome[];
  tables: Table[];
  /** How this server did beside another one, with which it took turns. */
  comparisons?: Comparison[];
}
