import { defineConfig } from 'tsup';

/** The client has no dependency, and its types import nothing: what is published stands alone. */
export default defineConfig({
  entry: ['src/index.ts'],
  format: ['esm', 'cjs'],
  target: 'node22',
  platform: 'neutral',
  dts: true,
  clean: true,
  minify: true,
  treeshake: true,
});
