// How a terminal asks before a verb removes what cannot be brought back. Plain JavaScript, as `running-server.mjs`: the verb may run in a
// server, which has no terminal.

/**
 * Returns the arguments with which a verb is confirmed. A person types the name again; a program, which has no terminal, gives it itself.
 * @param {string[]} argv the verb and its arguments
 * @returns {Promise<string[]>}
 */
export async function askAgain(argv) {
  const [noun, verb, name] = argv;
  if (noun !== 'workspaces' || verb !== 'delete' || name === undefined || name.startsWith('-')) return [];
  if (argv.some((each) => /^--(confirm(=|$)|help$)/.test(each))) return [];
  if (!process.stdin.isTTY || !process.stderr.isTTY) return [];
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const question = `This removes the workspace ${name} with all of its mail, for good. Type its name again: `;
    return ['--confirm', await terminal.question(question)];
  } finally {
    terminal.close();
  }
}
