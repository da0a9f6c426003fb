import { cp } from 'node:fs/promises';
import { defineConfig } from 'tsup';

export default defineConfig({
  // A worker is a file of its own, beside the chunks that start it.
  entry: {
    main: 'src/main.ts',
    'parse-worker': 'src/mail/parse/parse-worker.ts',
    'compose-worker': 'src/mail/compose/compose-worker.ts',
    'json-worker': 'src/http/bodies/json-worker.ts',
    'index-worker': 'src/search/index/index-worker.ts',
    'reader-process': 'src/search/files/reader-process.ts',
  },
  format: 'esm',
  target: 'node22',
  platform: 'node',
  // The contract is private: it is published as a part of what is derived from it.
  noExternal: ['@postrider/contract'],
  // The server runs without them, too.
  external: ['@postrider/embeddings', '@postrider/words-en', /^@opentelemetry\//],
  clean: true,
  onSuccess: async () => {
    // The pages are next to the program. Those who build with the list of their files have no use for it on a server.
    await cp('../console/dist', 'dist/console', {
      recursive: true,
      filter: (path) => !path.endsWith('.vite'),
    });
    await cp('../site/dist', 'dist/docs', { recursive: true });
    await cp('src/db/functions', 'dist/functions', {
      recursive: true,
      filter: (path) => !path.endsWith('.ts'),
    });
  },
});
