import { ApprovalState, type ApprovalSummary, type DecisionResult } from '@postrider/contract/console';
import { Argument, type Command, Option } from 'commander';
import { runCommand, withCommands } from './run-command.ts';

const ids = () => new Argument('<id...>', 'the ids of the messages');

/** Adds the verbs by which operators decide about held messages. */
export function registerApprovals(approvals: Command): void {
  approvals
    .command('list')
    .description('show the messages that wait for approval, newest first')
    .option('--workspace <name>', 'by default all workspaces')
    .addOption(new Option('--state <state>', 'of which state').choices(ApprovalState.options).default('held'))
    .option('--json', 'print them as JSON', false)
    .action(({ json, ...input }: { json: boolean; workspace?: string; state?: ApprovalState }) =>
      withCommands(async (run) => {
        const rows = (await run('approvals list', input)) as (ApprovalSummary & { workspace: string })[];
        if (json) console.log(JSON.stringify(rows, null, 2));
        else for (const row of rows) console.log(describeRow(row));
      }),
    );
  approvals
    .command('show <id>')
    .description('show a message with its headers, texts, attachments, recipients and hash')
    .action((id: string) => runCommand('approvals show', { id }));
  approvals
    .command('approve')
    .description('send messages exactly as they were shown')
    .addArgument(ids())
    .requiredOption(
      '--hash <hash...>',
      'the first 12 or more characters of the hash of each, as "show" prints it',
    )
    .action((given: string[], { hash }: { hash: string[] }) =>
      decide('approvals approve', { ids: given, hashes: hash }),
    );
  approvals
    .command('refuse')
    .description('reject messages, with a reason for the agent')
    .addArgument(ids())
    .requiredOption('--reason <text>', 'what the agent reads')
    .action((given: string[], { reason }: { reason: string }) =>
      decide('approvals refuse', { ids: given, reason }),
    );
}

/** Prints what came of a decision; the exit code is 1 if one does not count. */
function decide(command: 'approvals approve' | 'approvals refuse', input: object): Promise<void> {
  return withCommands(async (run) => {
    const results = (await run(command, input)) as DecisionResult[];
    console.log(JSON.stringify(results, null, 2));
    if (results.some(({ problem }) => problem !== null)) process.exitCode = 1;
  });
}

function describeRow(row: ApprovalSummary & { workspace: string }): string {
  const { message_id, held_at, inbox_address, to, cc, bcc, subject } = row;
  const others = to.length + cc.length + bcc.length - 1;
  const recipients = `${[...to, ...cc, ...bcc][0]}${others > 0 ? ` and ${others} more` : ''}`;
  const line = [message_id, held_at, row.workspace, `${inbox_address} to ${recipients}`, subject].join('  ');
  return line.replaceAll(/\p{C}/gu, '');
}
