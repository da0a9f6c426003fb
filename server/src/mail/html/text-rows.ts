/*
 * Lays out a row of a table as text. Cells stand beside each other on one line, with a tab between them, so that no two numbers touch and a
 * table that only lays out a page has no marks. Cells with several lines stand below each other, as columns of text do.
 */

/** A row whose cells are known so far. */
export interface Row {
  cells: string[][];
  /** Whether an empty cell keeps its place, as below the heading of its column. */
  keepsEmpty: boolean;
  hasHeading: boolean;
}

const cellSeparator = '\t';

/** A longer text beside several lines is a column of its own. */
const besideLengthMax = 60;
const linesBesideMax = 3;
/** A higher cell is a part of the page, and stands alone without being looked at. */
const linesOfCellMax = 40;
/** Marks of quotations, which have lines of their own. */
const mark = /^[\ue000-\ue003]$/;

/** Returns the lines of a row. An empty line is a blank one. */
export function linesOfRow({ cells, keepsEmpty }: Row): string[] {
  const filled = cells.filter((lines) => lines.length > 0);
  if (filled.length === 0) return [];
  const [only = []] = filled;
  if (filled.length === 1 && !keepsEmpty) return only;
  if (filled.some((lines) => lines.length > linesOfCellMax)) return stacked(filled);
  if (filled.some((lines) => lines.some((line) => mark.test(line)))) return stacked(filled);
  const placed = keepsEmpty ? cells : filled;
  const texts = placed.map((lines) => lines.filter((line) => line !== '').map((line) => line.trim()));
  const heights = texts.map((lines) => lines.length);
  const high = heights.filter((height) => height > 1).length;
  if (high === 0) return [joined(texts.map(([line = '']) => line))];
  const short = texts.filter((lines) => lines.length === 1);
  const isBeside =
    short.length > 0 &&
    short.every(([line = '']) => line.length <= besideLengthMax) &&
    (high === 1 || Math.max(...heights) <= linesBesideMax);
  if (!isBeside) return stacked(filled);
  const first = joined(texts.map(([line = '']) => line));
  return [first, ...restOf(texts)];
}

function stacked(cells: string[][]): string[] {
  return cells.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

/** Returns the lines below the first one, side by side. */
function restOf(texts: string[][]): string[] {
  const height = Math.max(...texts.map((lines) => lines.length));
  return Array.from({ length: height - 1 }, (_, at) =>
    texts.flatMap((lines) => lines[at + 1] ?? []).join(cellSeparator),
  );
}

function joined(cells: string[]): string {
  return cells.join(cellSeparator).trimEnd();
}
