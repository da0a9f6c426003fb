/* Interface 11: a key cannot lift a policy about recipients by a rule. */
import { errorOf } from '@postrider/testkit/http/api-errors.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('Interface 11 Policy: a key cannot make anybody known by a rule', async () => {
  const { rules, account, inboxes, messages } = server.client;
  const { id: inbox_id } = await inboxes.create({ local_part: 'agent' });
  const { workspace } = await account.get();
  const early = await rules.create({ kind: 'allow', direction: 'outbound', pattern: 'early.example' });
  const place = { workspaceId: workspace.id, level: 'workspace', subjectId: workspace.id } as const;
  await setPolicy(server.server.deps, place, { recipients: 'known' }, operator);
  for (const direction of ['outbound', 'both'] as const)
    await errorOf(
      rules.create({ kind: 'allow', direction, pattern: 'late.example' }),
      'sending_not_allowed',
      {
        at: 'workspace',
      },
    );
  expect(await rules.create({ kind: 'block', direction: 'outbound', pattern: 'late.example' })).toBeDefined();
  expect(await rules.create({ kind: 'allow', direction: 'inbound', pattern: 'late.example' })).toBeDefined();
  const to = ['ada@early.example', 'ada@other.example'];
  const sent = await messages.send({ inbox_id, to, subject: 'Hello', text: 'Hello' });
  expect(sent.dropped).toEqual([{ address: 'ada@other.example', reason: 'policy' }]);
  await rules.delete(early.id);
  await setPolicy(server.server.deps, place, {}, operator);
  expect(await rules.create({ kind: 'allow', direction: 'outbound', pattern: 'late.example' })).toBeDefined();
});
