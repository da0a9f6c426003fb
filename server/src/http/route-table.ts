import { contract, listRoutes, pathPrefix, realtimePath } from '@postrider/contract';
import { consoleContract } from '@postrider/contract/console';
import { pathPattern } from './path-pattern.ts';

const table = [
  { method: 'GET', path: pathPrefix + realtimePath },
  ...listRoutes(contract).map(({ route }) => route),
  ...listRoutes(consoleContract).map(({ route }) => route),
].map(({ method, path }) => ({ method, path, pattern: pathPattern(path) }));

/** Returns the routes of the API with this path, one for each method, such as `/v1/inboxes/:id`. */
export function routesAt(path: string): { method: string; path: string }[] {
  return table.filter(({ pattern }) => pattern.test(path));
}
