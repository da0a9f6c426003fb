import type { MadeFile } from './made-mail.ts';

/** A file of a section, which a share of its mails has. */
export interface SectionFile extends MadeFile {
  percent: number;
}

/** A part of a text file of this folder: a mail, or a template for mails (`== head`). */
export interface Section {
  head: string;
  /** The lines `name: value`, by name. */
  fields: Map<string, string>;
  files: SectionFile[];
  /** The text, and the texts of its replies, each with the `from` of its line `-- from:`. */
  parts: { from: string | null; text: string }[];
}

/** Lists of words of a text file (`:: name`), an entry each line. */
export type WordLists = Map<string, string[]>;

/** Reads a text file of stories or templates. Throws if a line of a header cannot be read. */
export function readSections(text: string): { sections: Section[]; lists: WordLists } {
  const sections: Section[] = [];
  const lists: WordLists = new Map();
  for (const block of text.split(/^(?=(?:==|::) )/m)) {
    const [first = '', ...lines] = block.trim().split('\n');
    if (first.startsWith(':: ')) lists.set(first.slice(3), lines);
    else if (first.startsWith('== ')) sections.push(readSection(first.slice(3), lines));
  }
  return { sections, lists };
}

function readSection(head: string, lines: string[]): Section {
  const end = lines.indexOf('');
  const fields = new Map<string, string>();
  const files: SectionFile[] = [];
  for (const line of lines.slice(0, end)) {
    const file = files.at(-1);
    if (line.startsWith('| ') && file) {
      file.text += `${line.slice(2)}\n`;
      continue;
    }
    const [, name = '', percent, value = ''] = /^(\w+)(?: (\d+))?: (.+)$/.exec(line) ?? [];
    if (name === '') throw new Error(`${head}: the line "${line}" is not "name: value".`);
    if (name === 'file') files.push({ name: value, text: '', percent: Number(percent ?? 100) });
    else fields.set(name, value);
  }
  return { head, fields, files, parts: readParts(lines.slice(end + 1)) };
}

function readParts(lines: string[]): Section['parts'] {
  const parts: { from: string | null; lines: string[] }[] = [{ from: null, lines: [] }];
  for (const line of lines)
    if (line.startsWith('-- from: ')) parts.push({ from: line.slice('-- from: '.length), lines: [] });
    else parts.at(-1)?.lines.push(line);
  return parts.map(({ from, lines }) => ({ from, text: lines.join('\n').trim() }));
}
