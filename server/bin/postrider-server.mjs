#!/usr/bin/env node
// The command of the package. It loads nothing of the server before it knows that this Node can: an older one would end with an
// error about a module that it does not have.
import { readFileSync } from 'node:fs';
import { isInRange, sayRange } from './engines.mjs';

const { name, engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const { node } = process.versions;
if (isInRange(engines.node, node)) await import('../dist/main.js');
else {
  console.error(`${name} needs Node ${sayRange(engines.node)}. This is Node ${node}.`);
  process.exitCode = 1;
}
