import { expect, test } from 'vitest';
import type { AdminDeps } from './command.ts';
import { controlCommands } from './control.ts';
import { policyCommands } from './policy.ts';

const deps = {} as AdminDeps;

test('a command names one place at a time, so that nobody believes that two are paused', async () => {
  const both = { inbox: 'agent@example.com', key: 'key_1' };
  await expect(controlCommands.pause(deps, both)).rejects.toThrow('only one of --inbox and --key.');
  await expect(controlCommands.resume(deps, { server: true, workspace: 'default' })).rejects.toThrow(
    'only one of --server and --workspace.',
  );
  await expect(policyCommands['policy set'](deps, { ...both, lines: {} })).rejects.toThrow(
    'only one of --inbox and --key.',
  );
});
