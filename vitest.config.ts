import { defineConfig } from 'vitest/config';

const packageTests = ['**/packed.test.ts', '**/surface.test.ts', '**/sizes.test.ts'];
const always = ['**/node_modules/**', '**/dist/**'];

/** Builds the pages of the console, which servers from source serve. */
const consoleSetup = 'testkit/src/servers/console-setup.ts';

/**
 * Limits that only catch hangs: a busy machine makes tests slow, and never red. What a test polls for may take less, so that its message
 * shows.
 */
const hangs = { testTimeout: 600_000, hookTimeout: 600_000 };
const pollHangMs = 300_000;

/** Tests with a database, which the set-up makes. */
const database = {
  test: {
    name: 'database',
    include: ['{server,testkit,mcp}/**/*.db.test.ts', 'server/test/spec/**/*.spec.ts'],
    exclude: always,
    globalSetup: ['testkit/src/database/database-setup.ts', consoleSetup],
    setupFiles: ['testkit/src/database/database-rules.ts'],
    ...hangs,
  },
};

export default defineConfig({
  test: {
    pool: 'forks',
    // Many tests wait for something, so that two more than the two cores of a small machine keep both busy.
    maxWorkers: 4,
    // Loading the modules anew for each file takes as long as the tests do, so files share the processes.
    isolate: false,
    // Modules are those of Node, which take off their types and keep their compiled code. Vite's have getters in place of bindings, which
    // take tests an eighth longer. No test replaces a module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Tests make much garbage. With the default of 16 MB, a tenth of their time goes into collecting it.
    execArgv: ['--max-semi-space-size=64'],
    exclude: always,
    // Assertions and fake timers come by import, and every test cleans up after itself.
    globals: false,
    expect: { poll: { timeout: pollHangMs } },
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
            'testkit/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'faults/**/*.test.ts',
            'words-en/**/*.test.ts',
            'embeddings/**/*.test.ts',
            'mcp/**/*.test.ts',
          ],
          exclude: [...always, ...packageTests, '**/*.db.test.ts'],
          ...hangs,
        },
      },
      {
        test: {
          name: 'console',
          include: ['console/**/*.test.ts'],
          exclude: [...always, ...packageTests],
          // Node does not read JSX.
          experimental: { viteModuleRunner: true },
          ...hangs,
        },
      },
      {
        test: {
          name: 'sdk',
          include: ['sdk/**/*.test.ts'],
          exclude: [...always, ...packageTests],
          ...hangs,
        },
      },
      database,
      {
        test: {
          name: 'packages',
          include: packageTests,
          globalSetup: [consoleSetup],
          ...hangs,
        },
      },
      {
        test: {
          name: 'examples',
          include: ['examples/**/*.test.ts'],
          ...hangs,
        },
      },
    ],
  },
});
