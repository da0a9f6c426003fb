import type { Deps } from '../deps.ts';
import type { DerivedKeys } from '../lib/crypto/primitives.ts';

/** Everything that a command runs in. */
export interface AdminDeps
  extends Pick<Deps, 'database' | 'db' | 'memory' | 'clock' | 'wakeups' | 'config' | 'address'> {
  /** Opens the keys of the server. Few commands need them, and they can be missing while no server runs. */
  openKeys(): Promise<DerivedKeys>;
  /** Opens what reads the bytes of messages. The caller closes it. */
  openMailParts(): Promise<MailParts>;
}

/** Returns what commands run in within a running server. */
export function pickAdminDeps(deps: Deps): AdminDeps {
  return {
    ...deps,
    openKeys: async () => deps.keys,
    openMailParts: async () => ({ ...deps, close: async () => {} }),
  };
}

/** The parts that read the bytes of messages, and decide when they are due. */
export interface MailParts extends Pick<Deps, 'files' | 'parser' | 'timeScale'> {
  close(): Promise<void>;
}

/** The place of a verb: where its commands run, and where it prints. Both are this process, or commands run in a running server. */
export interface Terminal {
  /** Calls `work` with everything that commands need. */
  withDeps(work: (deps: AdminDeps) => Promise<void>): Promise<void>;
  /** Prints text, on the standard output unless told otherwise. Resolves once there is room for more. */
  write(text: string, stream?: 'out' | 'err'): Promise<void>;
  /** Makes the exit code 1, although the verb was carried out. */
  fail(): void;
}

/** The option of every verb. */
export interface Printing {
  /** Prints JSON where people would get text. */
  json?: boolean;
}

/** An operator command. It throws an Error that describes the problem. */
export type AdminCommand<Input> = (deps: AdminDeps, input: Input) => unknown;

/** Runs a command and prints its result, JSON unless it is a text for people. */
export function runAndPrint<Input extends object>(
  terminal: Terminal,
  command: AdminCommand<Input>,
  { json = false, ...input }: Input & Printing,
): Promise<void> {
  return terminal.withDeps(async (deps) => {
    const result = await command(deps, input as unknown as Input);
    if (typeof result === 'string' && !json) await printLine(terminal, result);
    else await printJson(terminal, result);
  });
}

/** Prints a value as JSON. Texts come from strangers, so characters that steer a terminal are escapes of JSON. */
export function printJson(terminal: Terminal, value: unknown): Promise<void> {
  const text = JSON.stringify(value, null, 2).replaceAll(/[^\P{C}\n]/gu, escapeCharacter);
  return printLine(terminal, text);
}

function escapeCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Prints a line. */
export function printLine(terminal: Terminal, line: string, stream?: 'out' | 'err'): Promise<void> {
  return terminal.write(`${line}\n`, stream);
}
