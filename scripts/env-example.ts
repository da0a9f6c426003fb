import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { envExample, settingsTable } from './env-example/list-settings.ts';
import { writeOrCheck } from './generated-file.ts';

const page = 'docs/self-hosting/configuration.md';
const begin = '<!-- settings: made by `node scripts/env-example.ts` -->';
const end = '<!-- end of settings -->';

const text = await readFile(resolve(import.meta.dirname, '..', page), 'utf8');
const before = text.slice(0, text.indexOf(begin));
const after = text.slice(text.indexOf(end));
if (!text.includes(begin) || !text.includes(end)) throw new Error(`${page} has lost the marks of its table.`);

await writeOrCheck('env-example', [
  { path: '.env.example', text: envExample() },
  { path: page, text: `${before}${begin}\n\n${settingsTable()}\n\n${after}` },
]);
