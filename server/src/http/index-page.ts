/* The page at the address of a server, for people and programs. */
import { createHash } from 'node:crypto';
import { brand, pathPrefix } from '@postrider/contract';
import { consolePath } from '@postrider/contract/console';
import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';

/** The links of the page, relative ones, which also work behind a proxy that adds a path. */
const links = [
  { name: 'console', path: consolePath.slice(1), about: 'the pages for people, who sign in there' },
  { name: 'api', path: pathPrefix.slice(1), about: 'base of the API, with an API key' },
  { name: 'openapi', path: 'openapi.json', about: 'every route, field and error of it, as OpenAPI 3.1' },
  { name: 'ready', path: 'readyz', about: 'whether what this process is for works now' },
  { name: 'live', path: 'livez', about: 'whether this process answers' },
] as const;

const docs = 'Guides and reference are in docs/ of the source code; begin with docs/quickstart.md.';

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:10vh auto;padding:0 1rem}:root{color-scheme:light dark}dt{margin-top:.5rem}';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${brand.product}</title>
<style>${style}</style>
</head>
<body>
<h1>${brand.product}</h1>
<p>${brand.summary}</p>
<dl>
${links.map(({ path, about }) => `<dt><a href="${path}">/${path}</a></dt><dd>${about}</dd>`).join('\n')}
</dl>
<p>${docs}</p>
</body>
</html>
`;

const described = {
  name: brand.product,
  description: brand.summary,
  ...Object.fromEntries(links.map(({ name, path }) => [name, `/${path}`])),
  docs,
};

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `/`: a page for browsers, or JSON for programs, that says what this is and where to continue. */
export const answerIndex: RequestHandler = (req, res) => {
  res.vary('Accept');
  if (req.accepts(['json', 'html']) !== 'html') return void res.json(described);
  res.set('content-security-policy', policy).type('html').send(page);
};

/** `/openapi.json`: the contract of this server, with its own address. It is created on the first request. */
export function answerOpenApi(deps: Pick<Deps, 'address'>): RequestHandler {
  let document: Buffer | null = null;
  return async (_req, res) => {
    const servers = [{ url: deps.address.publicUrl + pathPrefix, description: 'This server.' }];
    if (document === null) {
      // Most servers are never asked for it, and what creates it takes memory.
      const { buildOpenApi } = await import('@postrider/contract/openapi');
      document = Buffer.from(`${JSON.stringify({ ...buildOpenApi(), servers })}\n`);
    }
    res.type('json').send(document);
  };
}
