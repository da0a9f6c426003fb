/* The documentation as pages, below one path: as it was built, or plainly from its Markdown files, in the source code until it is built. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errors } from '@postrider/contract';
import express, { type RequestHandler, type Response, type Router } from 'express';
import { createReader, type ReadBuilt, readBuilt, sendBuilt } from '../http/built-files.ts';
import { docsPath } from './docs-path.ts';

const isSource = import.meta.url.endsWith('.ts');
/** The built pages: in the folder of their source, or next to the compiled server. */
const builtFolder = fileURLToPath(new URL(isSource ? '../../../site/dist' : './docs', import.meta.url));
const sourceFolder = isSource ? fileURLToPath(new URL('../../../', import.meta.url)) : null;

/** Scripts and styles are files of the build; some parts of pages have their own styles in attributes. */
const builtPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

/** Names of folders and one of a file: no dots at the start of any. */
const filePath = /^(?:[\w@-]+(?:\.[\w-]+)*\/)*[\w@-]+(?:\.[\w-]+)*$/;
/** The files whose names have a hash of their content. */
const hashedFile = /^assets\//;

/** The source of files, by their paths below the path of the documentation, and the security policy of the pages among them. */
interface Source {
  read: ReadBuilt;
  policy: string;
}

/**
 * Returns the router of the documentation, for mounting at its path and at that of `llms.txt`. Each page is there as HTML, and as Markdown
 * for those who prefer that by `Accept` or ask for its path with `.md`. Without built pages and without source code, it has none.
 */
export function serveDocs(built: string = builtFolder, source: string | null = sourceFolder): Router {
  const router = express.Router();
  const findSource = createSource(built, source);
  router.get('/{*path}', serveFile(findSource));
  return router;
}

function createSource(built: string, source: string | null): () => Promise<Source> {
  const read = createReader((path) => readBuilt(join(built, path)));
  let plain: Source | null = null;
  return async () => {
    if (source === null || read('index.html') !== null) return { read, policy: builtPolicy };
    if (plain === null) {
      // The renderer is loaded by servers that are asked for a page.
      const { plainFiles, plainPolicy } = await import('./plain-pages.ts');
      plain ??= { read: createReader(plainFiles(source, `${docsPath}/`)), policy: plainPolicy };
    }
    return plain;
  };
}

function serveFile(findSource: () => Promise<Source>): RequestHandler {
  return async (req, res, next) => {
    const asked = req.path.replaceAll(/^\/|\/$/g, '');
    if (asked !== '' && !filePath.test(asked)) return next();
    const { read, policy } = await findSource();
    const wanted = req.accepts(['html', 'text/markdown']) === 'text/markdown' ? '.md' : '.html';
    for (const path of candidates(asked, wanted)) {
      if (read(path) === null) continue;
      setHeaders(res, path, policy);
      sendBuilt(req, res, path, read);
      return;
    }
    if (!req.accepts('html') || read('404.html') === null) return next();
    setHeaders(res.status(errors.not_found.status), '404.html', policy);
    sendBuilt(req, res, '404.html', read);
  };
}

/** Returns the files that a path may mean: itself, or a page, which may be that of a folder. */
function candidates(asked: string, suffix: string): string[] {
  if (asked === '') return [`index${suffix}`];
  return [asked, `${asked}${suffix}`, `${asked}/index${suffix}`];
}

function setHeaders(res: Response, path: string, policy: string): void {
  res.vary('Accept');
  res.set('cache-control', hashedFile.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (!path.endsWith('.html')) return;
  res.set('content-security-policy', policy);
  res.set('x-frame-options', 'DENY');
  res.set('cross-origin-opener-policy', 'same-origin');
}
