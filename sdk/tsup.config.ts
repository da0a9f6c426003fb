import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const errorsSource = readFileSync(new URL('src/errors.ts', import.meta.url), 'utf8');
const errorNames = [...errorsSource.matchAll(/^export class (\w+)/gm)].map(([, name]) => name);

/**
 * The errors are a file of their own, so that an error of one entry is an instance of the same class in another. A bundle imports
 * them in one place, since each further import of what is outside would be renamed.
 */
const shareFiles: Plugin = {
  name: 'share-files',
  setup: ({ initialOptions, onResolve, onLoad }) => {
    const path = initialOptions.format === 'cjs' ? './errors.cjs' : './errors.js';
    onResolve({ filter: /\/errors\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path, namespace: 'shared' },
    );
    onResolve({ filter: /^\.\/errors\.c?js$/ }, () => ({ path, external: true }));
    // A module that is loaded at first use is a file too.
    onResolve({ filter: /\/find-secret\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: path.replace('errors', 'find-secret'), external: true } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'shared' }, () => ({
      contents: `export { ${errorNames.join()} } from ${JSON.stringify(path)};`,
      resolveDir: import.meta.dirname,
    }));
  },
};

/**
 * The client depends on nothing, and its types import nothing: `ky` is bundled, because it asks for a newer Node than it needs. The code is
 * not minified and needs no maps, so that stacks and uncaught errors can be read; bundlers for browsers minify.
 */
const library: Options = {
  entry: {
    index: 'src/index.ts',
    management: 'src/management.ts',
    webhooks: 'src/webhooks.ts',
    secrets: 'src/secrets.ts',
    testing: 'src/testing.ts',
    errors: 'src/errors.ts',
    'find-secret': 'src/waits/find-secret.ts',
  },
  format: ['esm', 'cjs'],
  target: 'node20.16',
  platform: 'neutral',
  dts: {
    entry: ['src/index.ts', 'src/management.ts', 'src/secrets.ts', 'src/webhooks.ts', 'src/testing.ts'],
    // The parts that only the client itself uses are left out.
    compilerOptions: { stripInternal: true },
  },
  clean: true,
  splitting: false,
  noExternal: ['ky'],
  esbuildPlugins: [shareFiles],
};

/** The program has the library beside it, and nothing of it in itself. */
const useLibrary: Plugin = {
  name: 'use-library',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/(index|testing)\.ts$/ }, ({ path }) => ({
      path: `./${basename(path, '.ts')}.js`,
      external: true,
    }));
  },
};

const program: Options = {
  entry: { program: 'src/program/main.ts' },
  format: 'esm',
  target: 'node20.16',
  platform: 'node',
  splitting: false,
  esbuildPlugins: [useLibrary],
};

export default defineConfig([library, program]);
