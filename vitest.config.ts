import { defineConfig } from 'vitest/config';

const packageTests = ['**/packed.test.ts', '**/surface.test.ts'];
const always = ['**/node_modules/**', '**/dist/**'];

const specFiles = (...names: string[]) => names.map((name) => `server/test/spec/${name}.spec.ts`);
const isFuzzing = process.env.POSTRIDER_FUZZ_MINUTES !== undefined;

/** Long runs in which the database has little part: the suite has them on the embedded one, where they hold up the most. */
const embeddedOnly = specFiles(
  'documentation',
  'hostile-mail',
  'fuzz/contents',
  'fuzz/headers',
  'fuzz/mime',
  'fuzz/smtp',
);
/**
 * Races, which the one connection of the embedded database puts into line; several servers; and what is decided before or behind the
 * database: forms and sizes of requests, rates, figures of plans, reading and composing mail, relays, receivers, corpora, and what
 * the client does by itself.
 */
const postgresOnly = [
  ...specFiles('deletion-races', 'draft-races', 'label-races', 'threads-at-once', 'drafts-two-servers'),
  ...specFiles(
    'answer-bounds',
    'connection-bounds',
    'field-bounds',
    'request-bounds',
    'request-forms',
    'unknown-keys',
  ),
  ...specFiles('authentication', 'conventions', 'errors', 'fuzz/http', 'fuzz/links', 'keys', 'rate-limits'),
  ...specFiles(
    'draft-limits',
    'held-addresses',
    'metrics',
    'plan-emails',
    'plan-mail',
    'send-limits',
    'test-workspaces',
  ),
  ...specFiles('corpus', 'inbound-content', 'inbound-edges', 'inbound-reading', 'inbound-smtp', 'mail-pace'),
  ...specFiles(
    'conversation',
    'messages-check',
    'replies-and-forwards',
    'reports',
    'reports-as-mail',
    'ses-notifications',
  ),
  ...specFiles(
    'delivery',
    'delivery-never-twice',
    'draft-failures',
    'draft-files',
    'drafts-scheduled',
    'simulator',
  ),
  ...specFiles(
    'messages-wait',
    'realtime',
    'realtime-edges',
    'rules-inbound',
    'rules-outbound',
    'suppressed-sends',
  ),
  ...specFiles('webhook-inboxes', 'webhooks-delivery', 'webhooks-end', 'webhooks-local'),
  ...specFiles('client-methods', 'client-waits', 'client-webhooks'),
  'server/src/inbound/poison-mail.db.test.ts',
  'server/src/delivery/take-report.db.test.ts',
  'server/src/messages/store/threading-model.db.test.ts',
  'server/src/webhooks/posting/claim-deliveries.db.test.ts',
];
/** Crashes whose traces on the embedded database other files look at. */
const crashesOfPostgres = [
  'server/test/process/crash-delivery.db.test.ts',
  'server/test/process/crash-drafts.db.test.ts',
  'server/test/process/crash-migration.db.test.ts',
  'server/test/process/stop-server.db.test.ts',
  'server/src/delivery/delivery-worker.db.test.ts',
];

/** Both database projects run the same files but for these, each on its kind of database, made by the set-up and told by the variable. */
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
      onDatabase('postgres', isFuzzing ? [] : embeddedOnly),
      onDatabase('embedded', isFuzzing ? [] : [...postgresOnly, ...crashesOfPostgres]),
      { test: { name: 'packages', include: packageTests, testTimeout: 180_000, hookTimeout: 180_000 } },
      {
        test: {
          name: 'examples',
          include: ['examples/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
