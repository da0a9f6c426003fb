import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkGroups } from './build/chunk-groups.ts';
import { compressAssets } from './build/compress-assets.ts';

/** The server that pages talk to while somebody works on them with `pnpm dev`. */
const serverUrl = 'http://127.0.0.1:4400';

export default defineConfig({
  base: '/console/',
  plugins: [react(), compressAssets()],
  build: {
    manifest: true,
    // The page's security policy has no room for images inside of style sheets, and hashed files are kept by browsers anyway.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The icons are 6,000 files. Reading only those that pages use takes a build from 7,800 modules to 600.
    rolldownOptions: {
      experimental: { lazyBarrel: true },
      checks: { largeBarrelModules: false },
      output: { codeSplitting: { groups: chunkGroups } },
    },
  },
  server: {
    proxy: {
      // The server takes changes from pages of its own origin only.
      '^/console/(api|mail)/': {
        target: serverUrl,
        ws: true,
        changeOrigin: true,
        headers: { origin: serverUrl },
      },
    },
  },
});
