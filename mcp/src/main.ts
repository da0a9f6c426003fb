#!/usr/bin/env node
/*
 * The command. It speaks MCP over its standard input and output, so that anything for a person goes to the standard error.
 */
import { brand } from '@postrider/contract';
import { VERSION } from 'postrider';
import { helpText } from './help-text.ts';
import { serveCommand } from './serve-command.ts';
import { readCommand, type Settings, SettingsError } from './settings.ts';

const exitCodes = { failed: 1, misunderstood: 2 };

/** Ends the process with a sentence for the person who started it. */
function fail(message: string, code: number): never {
  process.stderr.write(`${brand.packages.mcp}: ${message}\n`);
  process.exit(code);
}

function serve(settings: Settings): void {
  const apiKey = process.env[brand.env.apiKey]?.trim() ?? '';
  if (apiKey === '')
    fail(
      `Set ${brand.env.apiKey} to an API key. A server prints its first one when it starts.`,
      exitCodes.misunderstood,
    );
  serveCommand({ apiKey, settings, log: (line) => process.stderr.write(`${brand.packages.mcp}: ${line}\n`) });
}

try {
  const command = readCommand(process.argv.slice(2));
  if (command.kind === 'help') process.stdout.write(helpText);
  else if (command.kind === 'version') process.stdout.write(`${VERSION}\n`);
  else serve(command.settings);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  fail(message, error instanceof SettingsError ? exitCodes.misunderstood : exitCodes.failed);
}
