#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Everything else is loaded after this: with code that was compiled before, a start takes two thirds of the time. The default
// folder, one of the whole machine, could be filled by another user; where this one cannot be written to, nothing is kept.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)));
const { runCommandLine } = await import('./boot/command-line.ts');
await runCommandLine();
