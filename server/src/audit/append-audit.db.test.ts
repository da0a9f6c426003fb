import { freshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { expect, test } from 'vitest';
import { inTransaction } from '../db/connections.ts';
import { openDatabase } from '../db/database.ts';
import { systemClock } from '../lib/clock.ts';
import { appendAudit, operator } from './append-audit.ts';
import { verifyAudit } from './verify-audit.ts';

test('100 entries of several processes at once, some of them rolled back, leave an unbroken chain', async () => {
  const { settings, drop } = await freshDatabase();
  const databases = await Promise.all([1, 2, 3].map(() => openDatabase(settings)));
  const workspaces = ['wsp_1', 'wsp_2'];
  const record = (n: number) =>
    inTransaction({ db: databases[n % 3]?.db as never, clock: systemClock }, async (tx) => {
      for (const workspaceId of workspaces)
        await appendAudit(tx, workspaceId, operator, { action: 'a.b', target: null, after: { n } });
      if (n % 10 === 0) throw new Error('rolled back');
    });
  const results = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => record(n)));
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(10);
  for (const workspaceId of workspaces)
    expect(await verifyAudit({ db: databases[0]?.db as never, workspaceId })).toMatchObject({
      intact: true,
      count: 90,
      last_seq: 90,
    });
  await Promise.all(databases.map((database) => database.close()));
  await drop();
});
