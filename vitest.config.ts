import { defineConfig } from 'vitest/config';

const packageTests = ['**/packed.test.ts', '**/surface.test.ts'];
const always = ['**/node_modules/**', '**/dist/**'];

/** Long runs in which the database has little part: the suite has them on the embedded one, where they hold up the most. */
const embeddedOnly = [
  'hostile-mail',
  'documentation',
  'fuzz/mime',
  'fuzz/headers',
  'fuzz/contents',
  'fuzz/smtp',
];
/**
 * Races, which the one connection of the embedded database puts into line; and long runs that are not about a database: corpora,
 * scripted peers, rates, figures of plans, made-up requests, what the client does by itself.
 */
const postgresOnly = [
  'deletion-races',
  'draft-races',
  'label-races',
  'threads-at-once',
  'delivery-never-twice',
  'simulator',
  'realtime-edges',
  'webhooks-delivery',
  'webhooks-end',
  'ses-notifications',
  'rate-limits',
  'connection-bounds',
  'request-bounds',
  'unknown-keys',
  'corpus',
  'reports-as-mail',
  'fuzz/http',
  'fuzz/links',
  'client-waits',
  'client-webhooks',
  'client-methods',
  'delivery',
  'draft-failures',
  'drafts-scheduled',
  'held-addresses',
  'metrics',
  'plan-mail',
  'rules-inbound',
  'send-limits',
  'webhook-inboxes',
];
/** Crashes whose traces on the embedded database other files look at. */
const crashesOfPostgres = [
  'server/test/process/crash-delivery.db.test.ts',
  'server/test/process/crash-drafts.db.test.ts',
  'server/test/process/crash-migration.db.test.ts',
  'server/src/messages/delivery-worker.db.test.ts',
];
const isFuzzing = process.env.POSTRIDER_FUZZ_MINUTES !== undefined;
const specFiles = (names: string[]) =>
  isFuzzing ? [] : names.map((name) => `server/test/spec/${name}.spec.ts`);

/** Both database projects run the same files, each on its kind of database, made by the set-up and told by the variable. */
const onDatabase = (kind: 'embedded' | 'postgres', exclude: string[]) => ({
  test: {
    name: kind,
    include: ['server/**/*.db.test.ts', 'server/test/spec/**/*.spec.ts'],
    exclude: [...always, ...exclude],
    env: { POSTRIDER_TEST_DATABASE: kind },
    globalSetup: ['server/test/harness/database-setup.ts'],
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    pool: 'forks',
    // Many tests wait for something, so that one more than the two cores of a small machine keeps both busy.
    maxWorkers: 3,
    // Loading the modules anew for each file takes as long as the tests do, so files share the processes.
    isolate: false,
    exclude: always,
    // Assertions and fake timers come by import, and every test cleans up after itself.
    globals: false,
    restoreMocks: true,
    unstubEnvs: true,
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'bench/**/*.test.ts',
            'contract/**/*.test.ts',
            'server/src/**/*.test.ts',
            'server/test/harness/*.test.ts',
            'scripts/**/*.test.ts',
            'faults/**/*.test.ts',
          ],
          exclude: [...always, ...packageTests, '**/*.db.test.ts'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'sdk',
          include: ['sdk/**/*.test.ts'],
          exclude: [...always, ...packageTests],
          testTimeout: 20_000,
        },
      },
      onDatabase('postgres', specFiles(embeddedOnly)),
      onDatabase('embedded', [...specFiles(postgresOnly), ...crashesOfPostgres]),
      { test: { name: 'packages', include: packageTests, testTimeout: 180_000, hookTimeout: 180_000 } },
      {
        test: {
          name: 'examples',
          include: ['examples/**/*.test.ts'],
          // Examples assert how long things take, so no other one starts a server meanwhile.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
