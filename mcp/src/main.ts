#!/usr/bin/env node
/*
 * The command. It speaks MCP over standard input and output, so anything for a person goes to standard error.
 */
import { brand } from '@postrider/contract';
import { VERSION } from 'postrider';
import { serveCommand } from './serve-command.ts';
import { readCommand, type Settings, SettingsError } from './settings.ts';

const { env, defaults, packages } = brand;

/** The text of `--help`. */
const helpText = `Gives an AI agent email inboxes through the Model Context Protocol, over standard input and output.

  ${env.apiKey}=… npx ${packages.mcp} --drafts-only

  --drafts-only           tools that send create drafts instead, for a person to send
  --read-only             only tools that change nothing
  --tools a,b             only these tools
  --inbox a,b             only these inboxes, by id or address
  --allow-recipient a,b   mail is sent only to these addresses and domains
  --attachments folder    files in this folder can be attached by path
  --help, --version

  ${env.apiKey}    the API key (required)
  ${env.baseUrl}   the server, by default ${defaults.baseUrl}

The program exits if it does not understand an option or a value.
`;

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
