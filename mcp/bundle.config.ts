import { defineConfig } from 'tsup';

/** The command as one file, for a bundle that has to run without an installation. */
export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: 'esm',
  target: 'node20.16',
  platform: 'node',
  clean: true,
  splitting: false,
  noExternal: [/.*/],
  // A library that asks for modules of Node by `require` finds it.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
});
