/* The address of a server itself, for people and programs, and its contract. */
import { brand, pathPrefix } from '@postrider/contract';
import { consolePath } from '@postrider/contract/console';
import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { docsPath } from '../docs/docs-path.ts';

const described = {
  name: brand.product,
  description: brand.summary,
  console: consolePath,
  api: pathPrefix,
  openapi: '/openapi.json',
  ready: '/readyz',
  live: '/livez',
  docs: docsPath,
};

/**
 * `/`: the documentation for browsers, or JSON for programs that says what this is and where to continue. The way to the documentation is
 * relative, so that it also works behind a proxy that adds a path.
 */
export const answerIndex: RequestHandler = (req, res) => {
  res.vary('Accept');
  if (req.accepts(['json', 'html']) !== 'html') return void res.json(described);
  res.redirect(`${docsPath.slice(1)}/`);
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
