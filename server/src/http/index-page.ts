/* The address of a server itself, for people and programs, and its contract. */
import { brand, pathPrefix } from '@postrider/contract';
import { consolePath } from '@postrider/contract/console';
import { managementPath } from '@postrider/contract/management';
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

/** Returns an OpenAPI document of this server. */
type BuildDocument = () => Promise<object>;

const buildApi: BuildDocument = async () => (await import('@postrider/contract/openapi')).buildOpenApi();
const buildManagement: BuildDocument = async () =>
  (await import('@postrider/contract/management/openapi')).buildManagementOpenApi();

/** `/openapi.json`: the contract of this server, with its own address. */
export function answerOpenApi(deps: Pick<Deps, 'address'>): RequestHandler {
  return answerDocument(deps, pathPrefix, buildApi);
}

/** `/management.openapi.json`: the management API of this server, with its own address. */
export function answerManagementOpenApi(deps: Pick<Deps, 'address'>): RequestHandler {
  return answerDocument(deps, managementPath, buildManagement);
}

/** Creates a document on the first request: most servers are never asked for it, and what creates it takes memory. */
function answerDocument(deps: Pick<Deps, 'address'>, path: string, build: BuildDocument): RequestHandler {
  let document: Buffer | null = null;
  return async (_req, res) => {
    const servers = [{ url: deps.address.publicUrl + path, description: 'This server.' }];
    document ??= Buffer.from(`${JSON.stringify({ ...(await build()), servers })}\n`);
    res.type('json').send(document);
  };
}
