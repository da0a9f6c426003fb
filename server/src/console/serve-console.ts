/* The pages of the console, as they were built: one HTML page for every path, and files whose names have a hash of their content. */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brand, errors } from '@postrider/contract';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { notFound } from '../lib/api-error.ts';

/** The built pages: in the folder of their source, or next to the compiled server. */
const builtFolder = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../console/dist' : './console', import.meta.url),
);

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // The components set sizes and colours by styles of their own.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "base-uri 'none'",
].join('; ');

/** What is below the path of the console and has no page. */
const otherPaths = /^\/(api|assets|mail)(\/|$)/i;
/** The name of one file in one folder: no separators, and no dot at the start. */
const assetName = /^[\w-]+(\.[\w-]+)+$/;
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

const notBuilt = `The pages of the ${brand.product} console are not built, so there is nothing to show. In the source code, \`npm start\` builds them before the server starts, and so does \`npx vite build\` in the folder console/. The API works without them.\n`;

/** Returns the router of the pages, for mounting at the path of the console. */
export function serveConsole(folder: string = builtFolder): Router {
  const router = express.Router();
  router.get('/assets/:name', serveAsset(join(folder, 'assets')));
  router.get('/{*path}', servePage(join(folder, 'index.html')));
  return router;
}

function servePage(path: string): RequestHandler {
  return async (req, res, next) => {
    if (otherPaths.test(req.path)) return next();
    res.set('content-security-policy', policy);
    res.set('x-frame-options', 'DENY');
    res.set('cross-origin-opener-policy', 'same-origin');
    res.set('cache-control', 'no-cache');
    if (await sendBuilt(req, res, path)) return;
    res.status(errors.unavailable.status).set('cache-control', 'no-store').type('text').send(notBuilt);
  };
}

function serveAsset(folder: string): RequestHandler<{ name: string }> {
  return async (req, res) => {
    const { name } = req.params;
    if (!assetName.test(name)) throw notFound(null);
    res.set('cache-control', 'public, max-age=31536000, immutable');
    if (await sendBuilt(req, res, join(folder, name))) return;
    res.removeHeader('cache-control');
    throw notFound(null);
  };
}

/** Sends a file in the best encoding that the client takes and that was built. Returns false if there is no such file. */
async function sendBuilt(req: Request<object>, res: Response, path: string): Promise<boolean> {
  for (const { name, suffix } of encodings) {
    if (!req.acceptsEncodings(name)) continue;
    const packed = await readBuilt(path + suffix);
    if (packed === null) continue;
    res.set('content-encoding', name);
    send(res, path, packed);
    return true;
  }
  const plain = await readBuilt(path);
  if (plain !== null) send(res, path, plain);
  return plain !== null;
}

function send(res: Response, path: string, bytes: Buffer): void {
  res.vary('Accept-Encoding').type(extname(path)).send(bytes);
}

async function readBuilt(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return null;
    throw error;
  }
}
