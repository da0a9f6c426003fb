#!/usr/bin/env node
import { environment, product, VERSION } from '../generated/brand.ts';
/*
 * The program `postrider`: common API calls from a shell, made with the client of this package. It is a separate file and not part of the
 * library.
 */
import { PostriderError } from '../index.ts';
import { inboxes, send, wait } from './calls.ts';
import { listen } from './listen.ts';
import { UsageError, type Verb } from './verb.ts';

const command = product.toLowerCase();
const verbs: Record<string, Verb> = { inboxes, send, wait, listen };

async function main([name = '--help', ...args]: string[]): Promise<number> {
  if (name === '--version') return print(VERSION);
  if (name === '--help' || name === 'help') return print(usage());
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (verb === undefined) return fail(`There is no command ${name}.\n\n${usage()}`);
  if (args.includes('--help')) return print(describeVerb(name, verb));
  try {
    await verb.run(args);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) return fail(`${error.message}\n\n${describeVerb(name, verb)}`);
    // An error of the API says what is wrong and what to do. The stack of this program would only hide that.
    if (error instanceof PostriderError) return fail(error.message);
    throw error;
  }
}

function usage(): string {
  const lines = Object.entries(verbs).map(([name, { about }]) => `  ${name.padEnd(10)}${about}`);
  return `${product} from a shell. Set ${environment.apiKey} to the key and ${environment.baseURL} to the server.

${lines.join('\n')}

  --help after a command shows its options. Every command takes --json.`;
}

function describeVerb(name: string, { about, usage: lines }: Verb): string {
  return `${about}\n\n${lines.map((line) => `  ${command} ${name}${line && ` ${line}`}`).join('\n')}`;
}

function print(text: string): number {
  console.log(text);
  return 0;
}

function fail(text: string): number {
  console.error(text);
  return 1;
}

process.exitCode = await main(process.argv.slice(2));
