/** One rule of the specification: a numbered sentence or a row of a table. A test names it by `id`. */
export interface SpecRule {
  id: string;
  section: string;
  line: number;
  text: string;
}

/** Headings whose numbered rules have a shorter name. */
const shortNames: Record<string, string> = {
  'What the service does': 'Conventions',
  'States and transitions': 'States',
};

/**
 * Returns the rules of a specification in Markdown. The id of a numbered rule is its section and number, such as `Messages 2`. The id of a
 * row is its section and the cells that identify it, such as `Errors 409 address_taken`, `Inboxes POST /inboxes` or `Inbox local_part`.
 */
export function readSpec(markdown: string): SpecRule[] {
  const rules: SpecRule[] = [];
  let section = '';
  let columns: string[] | null = null;
  for (const [index, text] of markdown.split('\n').entries()) {
    const add = (key: string) =>
      rules.push({ id: `${section} ${key}`, section, line: index + 1, text: text.trim() });
    const heading = /^#{2,3} (.+)$/.exec(text)?.[1];
    if (heading) section = shortNames[heading] ?? withoutRemarks(heading);
    const number = /^(\d+)\. /.exec(text)?.[1];
    if (number) add(number);
    const cells = text.startsWith('|') ? splitCells(text) : null;
    if (!cells) columns = null;
    else if (!columns) columns = cells;
    else if (!cells.every((cell) => /^:?-+:?$/.test(cell))) add(rowKey(columns, cells));
  }
  return rules;
}

function splitCells(row: string): string[] {
  return row
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

/** Returns the cells that identify a row: two if the first alone is not enough. */
function rowKey(columns: string[], cells: string[]): string {
  const paired = ['Method', 'Status', 'Subject'].includes(columns[0] ?? '');
  const key = cells.slice(0, paired ? 2 : 1).join(' ');
  return withoutRemarks(key.replaceAll('`', ''));
}

function withoutRemarks(text: string): string {
  return text
    .replaceAll(/\([^)]*\)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
