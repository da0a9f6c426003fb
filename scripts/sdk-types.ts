/*
 * Writes sdk/src/generated from the contract: plain types, the route table, the brand, sample events and sample responses. The published
 * package therefore needs neither the contract nor zod. With `--check` it writes nothing, and exits with 1 if a file differs from what it
 * would write.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brandFile } from './sdk-types/brand-file.ts';
import { managementFile } from './sdk-types/management-file.ts';
import { routesFile } from './sdk-types/routes-file.ts';
import { sampleAnswersFile } from './sdk-types/sample-answers-file.ts';
import { sampleEventsFile } from './sdk-types/sample-events-file.ts';
import { typesFile } from './sdk-types/types-file.ts';

const folder = new URL('../sdk/src/generated/', import.meta.url);
const packageFile = new URL('../sdk/package.json', import.meta.url);
const isCheck = process.argv.includes('--check');

const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
const files = {
  'types.ts': typesFile(),
  'routes.ts': routesFile(),
  'management.ts': managementFile(),
  'brand.ts': brandFile(version),
  'sample-events.ts': sampleEventsFile(),
  'sample-answers.ts': sampleAnswersFile(),
};

function readIfThere(file: URL): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

const stale = Object.entries(files).filter(([name, text]) => readIfThere(new URL(name, folder)) !== text);
for (const [name, text] of stale) {
  if (isCheck) {
    console.error(
      `sdk/src/generated/${name} is not what the contract says: run \`node scripts/sdk-types.ts\``,
    );
    process.exitCode = 1;
  } else {
    mkdirSync(folder, { recursive: true });
    writeFileSync(new URL(name, folder), text);
    console.log(`wrote sdk/src/generated/${name}`);
  }
}
