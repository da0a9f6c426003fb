/*
 * Writes what is generated of python/postrider from the contract: types, the route table, the methods of the resources, and the patterns
 * that find codes and links in mail, which are those of the SDK. The resources that await are written from those that block. With
 * `--check` it writes nothing, and exits with 1 if a file differs.
 */
import { readFileSync } from 'node:fs';
import { writeOrCheck } from './generated-file.ts';
import { asyncResourcesFile } from './python-client/async-file.ts';
import { patternsFile } from './python-client/patterns-file.ts';
import { resourcesFile } from './python-client/resources-file.ts';
import { routesFile } from './python-client/routes-file.ts';
import { typesFile } from './python-client/types-file.ts';

const packageFile = new URL('../sdk/package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };

const files = {
  '_generated/__init__.py': '',
  '_generated/types.py': typesFile(),
  '_generated/routes.py': routesFile(version),
  '_generated/resources.py': resourcesFile('sync'),
  '_generated/async_resources.py': resourcesFile('async'),
  '_generated/patterns.py': patternsFile(),
  '_async_resources.py': asyncResourcesFile(),
};

await writeOrCheck(
  'python-client',
  Object.entries(files).map(([name, text]) => ({ path: `python/postrider/${name}`, text })),
);
