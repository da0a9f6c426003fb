import { ApprovalState, type ApprovalSummary, type DecisionResult } from '@postrider/contract/console';
import { Argument, type Command, Option } from 'commander';
import { type Printing, printJson, printLine, runAndPrint, type Terminal } from './terminal.ts';

const ids = () => new Argument('<id...>', 'the ids of the messages');

/** Adds the verbs by which operators decide about held messages. */
export function registerApprovals(approvals: Command, terminal: Terminal): void {
  approvals
    .command('list')
    .description('show the messages that wait for approval, newest first')
    .option('--workspace <name>', 'by default all workspaces')
    .addOption(new Option('--state <state>', 'of which state').choices(ApprovalState.options).default('held'))
    .action(({ json, ...input }: Printing & { workspace?: string; state?: ApprovalState }) =>
      terminal.withCommands(async (run) => {
        const rows = (await run('approvals list', input)) as (ApprovalSummary & { workspace: string })[];
        if (json) await printJson(terminal, rows);
        else for (const row of rows) await printLine(terminal, describeRow(row));
      }),
    );
  approvals
    .command('show <id>')
    .description('show a message with its headers, texts, attachments, recipients and hash')
    .action((id: string, { json = false }: Printing) =>
      runAndPrint(terminal, json ? 'approvals read' : 'approvals show', { id }),
    );
  approvals
    .command('approve')
    .description('send messages exactly as they were shown')
    .addArgument(ids())
    .requiredOption(
      '--hash <hash...>',
      'the first 12 or more characters of the hash of each, as "show" prints it',
    )
    .action((given: string[], { hash }: { hash: string[] }) =>
      decide(terminal, 'approvals approve', { ids: given, hashes: hash }),
    );
  approvals
    .command('refuse')
    .description('reject messages, with a reason for the agent')
    .addArgument(ids())
    .requiredOption('--reason <text>', 'what the agent reads')
    .action((given: string[], { reason }: { reason: string }) =>
      decide(terminal, 'approvals refuse', { ids: given, reason }),
    );
}

/** Prints what came of a decision; the exit code is 1 if one does not count. */
function decide(
  terminal: Terminal,
  command: 'approvals approve' | 'approvals refuse',
  input: object,
): Promise<void> {
  return terminal.withCommands(async (run) => {
    const results = (await run(command, input)) as DecisionResult[];
    await printJson(terminal, results);
    if (results.some(({ problem }) => problem !== null)) terminal.fail();
  });
}

function describeRow(row: ApprovalSummary & { workspace: string }): string {
  const { message_id, held_at, inbox_address, to, cc, bcc, subject } = row;
  const others = to.length + cc.length + bcc.length - 1;
  const recipients = `${[...to, ...cc, ...bcc][0]}${others > 0 ? ` and ${others} more` : ''}`;
  const line = [message_id, held_at, row.workspace, `${inbox_address} to ${recipients}`, subject].join('  ');
  return line.replaceAll(/\p{C}/gu, '');
}
