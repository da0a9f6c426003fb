/** A table of a run beside its outcomes. */
export interface Table {
  title: string;
  columns: string[];
  rows: string[][];
}
