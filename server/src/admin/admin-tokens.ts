import { AdminRight } from '@postrider/contract';
import type { AdminToken } from '@postrider/contract/console';
import { type Command, InvalidArgumentError } from 'commander';
import { listOperatorTokens, listTokens } from '../admin-tokens/admin-token.view.ts';
import { createOperatorToken, revokeTokenByHand } from '../admin-tokens/manage-tokens.ts';
import { getWorkspace } from '../workspaces/manage-workspaces.ts';
import { type AdminDeps, type Printing, runAndPrint, type Terminal } from './command.ts';
import { explained } from './control.ts';
import { readExpiry } from './keys.ts';

/** The commands by which operators manage admin tokens: their own, which reach all workspaces, and those that owners have made. */
export const adminTokenCommands = {
  'admin-tokens create': (
    deps: AdminDeps,
    { name, rights, expires }: { name: string; rights: AdminRight[]; expires: string },
  ) => {
    const expiresAt = readExpiry(expires, deps.clock.now());
    if (expiresAt === null) throw new Error('An admin token can be valid for at most a year.');
    return explained(createOperatorToken(deps, { name, rights, expires_at: expiresAt.toISOString() }));
  },
  'admin-tokens list': async (
    deps: AdminDeps,
    { workspace }: { workspace?: string },
  ): Promise<AdminToken[]> => {
    if (workspace === undefined) return listOperatorTokens(deps);
    const { id: workspaceId } = await getWorkspace(deps, workspace);
    return (await listTokens({ ...deps, workspaceId }, { limit: listedMax })).rows;
  },
  'admin-tokens revoke': (deps: AdminDeps, { id }: { id: string }) => revokeTokenByHand(deps, id),
};

const listedMax = 1_000;

/** Adds the verbs that manage admin tokens. */
export function registerAdminTokens(tokens: Command, terminal: Terminal): void {
  tokens
    .command('create')
    .description('create a token for all workspaces and print it; it cannot be shown again')
    .option('--name <name>', 'the purpose of the token', 'unnamed')
    .requiredOption(
      '--rights <rights>',
      `rights, separated by commas: ${AdminRight.options.join(', ')}`,
      readRights,
    )
    .option('--expires <when>', 'a time, or a number of days such as 30d; at most a year', '90d')
    .action((options: Printing & { name: string; rights: AdminRight[]; expires: string }) =>
      runAndPrint(terminal, adminTokenCommands['admin-tokens create'], options),
    );
  tokens
    .command('list')
    .description('show the tokens of the operator, or those of a workspace, and when they were last used')
    .option('--workspace <name>', 'only tokens that owners of this workspace have created')
    .action((options: Printing & { workspace?: string }) =>
      runAndPrint(terminal, adminTokenCommands['admin-tokens list'], options),
    );
  tokens
    .command('revoke <id>')
    .description('revoke a token; its next request is refused')
    .action((id: string, options: Printing) =>
      runAndPrint(terminal, adminTokenCommands['admin-tokens revoke'], { id, ...options }),
    );
}

function readRights(text: string): AdminRight[] {
  const names = text.split(',').map((name) => name.trim());
  return names.map((name) => {
    const right = AdminRight.safeParse(name);
    if (!right.success)
      throw new InvalidArgumentError(`${name} is not one of ${AdminRight.options.join(', ')}.`);
    return right.data;
  });
}
