/* The pages of the console, as they were built: one HTML page for every path, and files whose names have a hash of their content. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brand, errors } from '@postrider/contract';
import express, { type RequestHandler, type Router } from 'express';
import { createReader, type ReadBuilt, sendBuilt } from '../http/built-files.ts';
import { notFound } from '../lib/api-error.ts';

/** The built pages: in the folder of their source, or next to the compiled server. */
const builtFolder = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../console/dist' : './console', import.meta.url),
);

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // The components set sizes and colours with their own styles.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ');

/** Paths below the console's path that have no page. */
const otherPaths = /^\/(api|assets|mail)(\/|$)/i;
/** The name of one file in one folder: no separators, and no dot at the start. */
const assetName = /^[\w-]+(\.[\w-]+)+$/;

const notBuilt = `The pages of the ${brand.product} console are not built, so there is nothing to show. In the source code, \`npm start\` builds them before the server starts, and so does \`npx vite build\` in the folder console/. The API works without them.\n`;

/** Returns the router of the pages, for mounting at the path of the console. Each file is read once. */
export function serveConsole(folder: string = builtFolder): Router {
  const router = express.Router();
  const read = createReader();
  router.get('/assets/:name', serveAsset(join(folder, 'assets'), read));
  router.get('/{*path}', servePage(join(folder, 'index.html'), read));
  return router;
}

function servePage(path: string, read: ReadBuilt): RequestHandler {
  return (req, res, next) => {
    if (otherPaths.test(req.path)) return next();
    res.set('content-security-policy', policy);
    res.set('x-frame-options', 'DENY');
    res.set('cross-origin-opener-policy', 'same-origin');
    res.set('cache-control', 'no-cache');
    if (sendBuilt(req, res, path, read)) return;
    res.status(errors.unavailable.status).set('cache-control', 'no-store').type('text').send(notBuilt);
  };
}

function serveAsset(folder: string, read: ReadBuilt): RequestHandler<{ name: string }> {
  return (req, res) => {
    const { name } = req.params;
    if (!assetName.test(name)) throw notFound(null);
    res.set('cache-control', 'public, max-age=31536000, immutable');
    if (sendBuilt(req, res, join(folder, name), read)) return;
    res.removeHeader('cache-control');
    throw notFound(null);
  };
}
