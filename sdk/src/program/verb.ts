import { type ParseArgsConfig, parseArgs } from 'node:util';

/** One command of the program. */
export interface Verb {
  about: string;
  /** The arguments after the name of the command, one line for each use. */
  usage: string[];
  /** @throws UsageError if the arguments are wrong. */
  run(args: string[]): Promise<void>;
}

/** Thrown if arguments are wrong. Its message is followed by the usage of the command. */
export class UsageError extends Error {
  override name = 'UsageError' as const;
}

/** Reads arguments. `--json` is an option of every command. @throws UsageError */
export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: Options,
  positionalsMax = 0,
) {
  const parsed = parseStrictly(args, options);
  if (parsed.positionals.length > positionalsMax)
    throw new UsageError(`Unexpected argument: ${parsed.positionals[positionalsMax]}.`);
  return parsed;
}

function parseStrictly<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: Options,
) {
  const json = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ args, options: { ...options, json }, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Returns the value of a required option. @throws UsageError */
export function required(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing.`);
  return value;
}

/** Prints a result: as JSON on one line, or as text for people. */
export function printResult(result: unknown, isJson: boolean, text: () => string): void {
  console.log(withoutControls(isJson ? JSON.stringify(result) : text()));
}

/** Replaces control characters other than line ends and tabs, because those in a stranger's email could control the terminal. */
function withoutControls(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, '\uFFFD');
}
