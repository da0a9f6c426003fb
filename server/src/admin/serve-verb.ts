import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { CommanderError } from 'commander';
import { sayError } from '../lib/start/start-error.ts';
import type { AdminDeps } from './admin-deps.ts';
import { type RunCommand, runAdminCommand } from './commands.ts';
import type { Terminal } from './terminal.ts';
import { createProgram, registerAdminVerbs } from './verbs.ts';

/**
 * Carries out a verb for the program that asks over the socket. The response has a JSON object a line: `out` and `err` are what to print,
 * and `code`, the exit code, is the last; `unknown` alone means that the program has to do it.
 */
export async function serveVerb(deps: AdminDeps, argv: string[], response: ServerResponse): Promise<void> {
  const send = async (part: object) => {
    if (response.destroyed) throw new Error('The program that asked has ended.');
    if (!response.write(`${JSON.stringify(part)}\n`))
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
  };
  const program = createProgram()
    .exitOverride()
    .configureOutput({
      writeOut: (out) => send({ out }),
      writeErr: (err) => send({ err }),
      // The width of the terminal of whoever asks is not known here.
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
    });
  let code = 0;
  const run: RunCommand = (name, input) => runAdminCommand(deps, name, input);
  const terminal: Terminal = {
    withCommands: (work) => work(run),
    write: (text, stream = 'out') => send({ [stream]: text }),
    fail: () => {
      code = 1;
    },
  };
  registerAdminVerbs(program, terminal);
  if (!program.commands.some((verb) => verb.name() === argv[0])) return void (await send({ unknown: true }));
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    code = error instanceof CommanderError ? error.exitCode : 1;
    if (!(error instanceof CommanderError)) await send({ err: `Error: ${sayError(error)}\n` });
  }
  await send({ code });
}
