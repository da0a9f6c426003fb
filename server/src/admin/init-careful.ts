import { carefulPolicy, defaultPolicy, type PolicyIn, type PolicyLine } from '@postrider/contract';
import { operator } from '../audit/append-audit.ts';
import { firstWorkspaceName } from '../keys/bootstrap.ts';
import { strictestOf } from '../policies/effective-policy.ts';
import { setPolicy } from '../policies/set-policy.ts';
import { policyAt } from '../policies/store-policy.ts';
import { getWorkspace } from '../workspaces/manage-workspaces.ts';
import type { AdminDeps } from './admin-deps.ts';

/** What `init` prints without a choice. */
export const initHelp: string = [
  '"init --careful" gives the first workspace, or another by --workspace, a policy for agents that nobody watches:',
  ...Object.entries(carefulPolicy).map(([line, value]) => `  ${line.padEnd(18)}${value}`),
  'Without it there is no policy, and keys send to anyone, as much as they like. Nothing else needs to be set up: "start" does it.',
].join('\n');

/**
 * Gives a workspace the careful policy. A line that people have set more strictly stays. Returns what it set and how to change it.
 *
 * @throws Error if there is no such workspace.
 */
export async function initCareful(deps: AdminDeps, { workspace }: { workspace?: string }): Promise<string> {
  const { id, name } = await getWorkspace(deps, workspace ?? firstWorkspaceName);
  const place = { workspaceId: id, level: 'workspace', subjectId: id } as const;
  const before = await policyAt(deps, place);
  const { policy } = strictestOf([
    { level: 'workspace', lines: before },
    { level: 'key', lines: carefulPolicy },
  ]);
  const { heldWebhooks } = await setPolicy(deps, place, policy, operator);
  const lines = Object.keys(carefulPolicy) as PolicyLine[];
  return [
    `The policy of the workspace ${name}, which holds for all its keys and inboxes:`,
    ...lines.map((line) =>
      `  ${line.padEnd(18)}${String(policy[line]).padEnd(10)}${noteOf(line, before, policy)}`.trimEnd(),
    ),
    'A message counts as one mail for each of its recipients. "known" are people who wrote to the inbox before, and those of outbound allow rules.',
    'Its keys create no webhooks and no domains any more; owners do, in the console.',
    ...heldWebhooks.map(
      ({ id, url, key_name }) => `The webhook ${id} of the key ${key_name} goes on: it posts to ${url}`,
    ),
    'Change a line with "policy set --per-hour 50", remove all with "policy clear", stop everything with "pause".',
  ].join('\n');
}

/** Says what becomes of a line that people have set before. */
function noteOf(line: PolicyLine, before: PolicyIn, after: PolicyIn): string {
  const was = before[line] ?? defaultPolicy[line];
  if (String(was) !== String(after[line])) return before[line] === undefined ? '' : `it was ${was}`;
  return String(was) === String(carefulPolicy[line]) ? '' : 'stays, because it is stricter';
}
