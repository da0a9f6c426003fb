/*
 * What has to hold before a release, and needs more than Node and npm, or more than a minute. Every `check-*.ts` of this folder is one
 * check, which prints what it saw. Arguments choose some of them: `npm run release:check -- packages image`.
 */
import { readdirSync } from 'node:fs';

const folder = new URL('./', import.meta.url);
const wanted = process.argv.slice(2);
const all = readdirSync(folder)
  .flatMap((file) => /^check-(\w+)\.ts$/.exec(file)?.[1] ?? [])
  .sort();
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0)
  throw new Error(`There is no check ${unknown.join(', ')}. The checks are ${all.join(', ')}.`);

const failed: string[] = [];
for (const name of wanted.length > 0 ? wanted : all) {
  console.log(name);
  const from = performance.now();
  try {
    const { default: check } = (await import(`./check-${name}.ts`)) as { default(): Promise<void> };
    await check();
    console.log(`  passed in ${Math.round((performance.now() - from) / 1_000)} s`);
  } catch (error) {
    failed.push(name);
    console.log(`  FAILED: ${error instanceof Error ? error.message : String(error)}`);
  }
}
if (failed.length > 0) console.log(`\nNot ready for a release: ${failed.join(', ')}.`);
process.exitCode = failed.length > 0 ? 1 : 0;
