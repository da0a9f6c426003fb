// Builds the pages of the console if they are not up to date, for tests and for what is published.
import process from 'node:process';
import { buildConsole } from './bootstrap/build-console.mjs';

await buildConsole({ node: process.execPath });
