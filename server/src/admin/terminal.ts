import type { AdminCommand, AdminInput, RunCommand } from './commands.ts';

/** Where a verb runs its commands and prints: this process and its terminal, or a running server and the terminal of whoever asked it. */
export interface Terminal {
  /** Calls `work` with a function that runs commands. */
  withCommands(work: (run: RunCommand) => Promise<void>): Promise<void>;
  /** Prints text, on the standard output unless told otherwise. Resolves once there is room for more. */
  write(text: string, stream?: 'out' | 'err'): Promise<void>;
  /** Makes the exit code 1, although the verb was carried out. */
  fail(): void;
}

/** What every verb can be asked for. */
export interface Printing {
  /** Prints JSON where people would get text. */
  json?: boolean;
}

/** Runs a command and prints its result, JSON unless it is a text for people. */
export function runAndPrint<Name extends AdminCommand>(
  terminal: Terminal,
  name: Name,
  { json = false, ...input }: (AdminInput<Name> | object) & Printing,
): Promise<void> {
  return terminal.withCommands(async (run) => {
    const result = await run(name, input);
    if (typeof result === 'string' && !json) await printLine(terminal, result);
    else await printJson(terminal, result);
  });
}

/** Prints a value as JSON. Texts come from strangers, so characters that steer a terminal are escapes of JSON. */
export function printJson(terminal: Terminal, value: unknown): Promise<void> {
  const text = JSON.stringify(value, null, 2).replaceAll(/[^\P{C}\n]/gu, escapeOf);
  return printLine(terminal, text);
}

function escapeOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Prints a line. */
export function printLine(terminal: Terminal, line: string, stream?: 'out' | 'err'): Promise<void> {
  return terminal.write(`${line}\n`, stream);
}
