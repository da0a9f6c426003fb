import { type Command, InvalidArgumentError } from 'commander';
import type { Place } from './control-commands.ts';
import { type Printing, printLine, runAndPrint, type Terminal } from './terminal.ts';

const caps = ['per-hour', 'per-day', 'per-thread-hour', 'per-recipient-day', 'recipients-max'] as const;

/** Adds the verbs by which people control what is sent. */
export function registerControl(program: Command, terminal: Terminal): void {
  program
    .command('init')
    .description('set up a policy for agents that nobody watches')
    .option('--careful', 'send little, and only to people who wrote before', false)
    .option('--workspace <name>', 'by default the first workspace')
    .action(async ({ careful, ...options }: Printing & { careful: boolean; workspace?: string }) => {
      if (careful) return runAndPrint(terminal, 'init careful', options);
      await printLine(terminal, (await import('./init-careful.ts')).initHelp);
    });
  const policy = program.command('policy').description('what keys are allowed to send');
  withPlace(policy.command('show').description('show the policy that is set at a place')).action(
    (place: Place) => runAndPrint(terminal, 'policy show', place),
  );
  const set = withPlace(policy.command('set').description('change lines of a policy'))
    .option('--send <mode>', 'allow, approve or never')
    .option('--recipients <who>', 'anyone, known, or addresses and domains with commas between them');
  for (const cap of caps) set.option(`--${cap} <number>`, 'a number, or "any"', readCap);
  set.action(({ workspace, inbox, key, json, ...lines }: Place & Printing & Record<string, unknown>) =>
    runAndPrint(terminal, 'policy set', { workspace, inbox, key, json, lines: linesOf(lines) } as never),
  );
  withPlace(policy.command('clear').description('remove the policy of a place')).action((place: Place) =>
    runAndPrint(terminal, 'policy clear', place),
  );
  withPlace(program.command('pause').description('stop everything that is sent, at once'))
    .option('--server', 'of the whole server', false)
    .option('--reason <text>', 'shown to people')
    .action((input) => runAndPrint(terminal, 'pause', input));
  withPlace(program.command('resume').description('go on with what a pause stopped'))
    .option('--server', 'of the whole server', false)
    .action((input) => runAndPrint(terminal, 'resume', input));
  program
    .command('pauses')
    .description('show what is paused')
    .action((options: Printing) => runAndPrint(terminal, 'pause list', options));
}

function withPlace(command: Command): Command {
  return command
    .option('--workspace <name>', 'by default the first workspace')
    .option('--inbox <address>', 'the address or the id of an inbox')
    .option('--key <id>', 'the id of a key');
}

function readCap(text: string): number | 'any' {
  if (text === 'any') return text;
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A number or "any" is expected.');
  return Number(text);
}

function linesOf({ recipients, ...options }: Record<string, unknown>): Record<string, unknown> {
  const lines = Object.entries(options).map(([name, value]) => [
    snakeCase(name),
    value === 'any' ? null : value,
  ]);
  const list = typeof recipients === 'string' && !['anyone', 'known'].includes(recipients);
  const who = list ? (recipients as string).split(',').map((one) => one.trim()) : recipients;
  return { ...Object.fromEntries(lines), ...(recipients !== undefined && { recipients: who }) };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
