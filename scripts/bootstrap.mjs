// Runs on Node 20 with nothing but npm. A verb for a running server goes to it over its socket, and loads nothing else. For all others
// it gets the Node and pnpm that the project needs, installs what the verb needs, and hands over to the real program. Plain
// JavaScript, because the Node that starts it may not run TypeScript.
import { fileURLToPath } from 'node:url';
import { askAgain, runInServer } from '../server/src/lib/start/running-server.mjs';

try {
  const [program, ...verb] = process.argv.slice(2);
  if (program === 'postrider') process.argv.push(...(await askAgain(verb)));
  const [name, ...argv] = process.argv.slice(2);
  // The real program runs there, too, and reads `.env` there.
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
  const code = name === 'postrider' ? await runInServer(argv) : null;
  if (code !== null) process.exitCode = code;
  else process.exit(await (await import('./bootstrap/run-verb.mjs')).runVerb(process.argv.slice(2)));
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
