import { defineConfig } from 'tsup';

export default defineConfig({
  // The worker is a file of its own, beside the one that starts it.
  entry: {
    index: 'src/index.ts',
    'transformers-worker': 'src/transformers/transformers-worker.ts',
  },
  format: 'esm',
  target: 'node22',
  platform: 'node',
  dts: { entry: { index: 'src/index.ts' } },
  clean: true,
});
