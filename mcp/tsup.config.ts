import { defineConfig } from 'tsup';

/** The contract is not published, so its schemas are part of the bundle. */
export default defineConfig({
  entry: ['src/main.ts', 'src/index.ts'],
  format: 'esm',
  target: 'node20.16',
  platform: 'node',
  dts: { entry: ['src/index.ts'] },
  clean: true,
  noExternal: ['@postrider/contract', '@ts-rest/core'],
});
