/*
 * Writes the tables of the MCP tools into the guide and the README of the package, from the tools themselves.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { allTools } from '../mcp/src/tools/all-tools.ts';
import { writeOrCheck } from './generated-file.ts';

const begin = '<!-- tools: made by `node scripts/tool-table.ts` -->';
const end = '<!-- end of tools -->';
const pages = ['docs/guides/mcp.md', 'mcp/README.md'];
const effects = { read: 'reads', write: 'writes', send: 'sends', delete: 'deletes' };

function toolTable(): string {
  const rows = allTools.map(({ name, description, effect, reading }) => {
    const [first] = description.split(/(?<=[.:]) /);
    const does =
      reading === null ? effects[effect] : `${effects[reading.effect]}, and ${effects[effect]} if asked`;
    return `| \`${name}\` | ${does} | ${first?.replace(/:$/, '.')} |`;
  });
  return ['| Tool | Effect | What it does |', '| --- | --- | --- |', ...rows].join('\n');
}

async function withTable(page: string): Promise<string> {
  const text = await readFile(resolve(import.meta.dirname, '..', page), 'utf8');
  if (!text.includes(begin) || !text.includes(end))
    throw new Error(`${page} has lost the marks of its table.`);
  return `${text.slice(0, text.indexOf(begin))}${begin}\n\n${toolTable()}\n\n${text.slice(text.indexOf(end))}`;
}

const files = pages.map(async (path) => ({ path, text: await withTable(path) }));
await writeOrCheck('tool-table', await Promise.all(files));
