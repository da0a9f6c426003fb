#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Everything else is loaded after this: with code that was compiled before, a start takes two thirds of the time. The default
// folder, one of the whole machine, could be filled by another user; where this one cannot be written to, nothing is kept.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)));
const { askAgain, runInServer } = await import('./lib/start/running-server.mjs');
process.argv.push(...(await askAgain(process.argv.slice(2))));
const code = await runInServer(process.argv.slice(2)).catch((error: Error) => {
  console.error(`Error: ${error.message}`);
  return 1;
});
if (code === null) await (await import('./boot/command-line.ts')).runCommandLine();
else process.exitCode = code;
