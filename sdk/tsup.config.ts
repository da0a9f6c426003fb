import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** The errors are a file of their own, so that an error of one entry is an instance of the same class in another. */
const shareErrors: Plugin = {
  name: 'share-errors',
  setup: ({ initialOptions, onResolve }) => {
    const path = initialOptions.format === 'cjs' ? './errors.cjs' : './errors.js';
    onResolve({ filter: /\/errors\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path, external: true },
    );
  },
};

/** The client has no dependency, and its types import nothing: what is published stands alone. */
export default defineConfig({
  entry: ['src/index.ts', 'src/webhooks.ts', 'src/testing.ts', 'src/errors.ts'],
  format: ['esm', 'cjs'],
  target: 'node22',
  platform: 'neutral',
  dts: { entry: ['src/index.ts', 'src/webhooks.ts', 'src/testing.ts'] },
  clean: true,
  minify: true,
  splitting: false,
  esbuildPlugins: [shareErrors],
});
