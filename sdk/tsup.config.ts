import { defineConfig } from 'tsup';

/** The client has no dependency, and its types import nothing: what is published stands alone. */
export default defineConfig({
  entry: ['src/index.ts', 'src/webhooks.ts', 'src/testing.ts'],
  format: ['esm', 'cjs'],
  target: 'node22',
  platform: 'neutral',
  dts: true,
  clean: true,
  minify: true,
  // What entries share is one file, so that an error of one is an instance of the same class in another.
  splitting: true,
});
