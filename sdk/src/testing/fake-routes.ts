import { type RouteName, readRoute, routeNames } from '../generated/routes.ts';
import { requestFields } from '../generated/sample-answers.ts';
import type { Issue } from '../generated/types.ts';

/** Returns the route of a request, or null if no route matches. Routes without parameters are tried first. */
export function findRoute(method: string, path: string): { route: RouteName; id: string } | null {
  const known = routeNames.map((name) => ({ name, ...readRoute(name) }));
  const withId = ({ path: each }: { path: string }) => Number(each.includes(':'));
  for (const route of known.sort((one, other) => withId(one) - withId(other))) {
    const found = new RegExp(`^${route.path.replace(/:\w+/, '([^/]+)')}$`).exec(path);
    if (found && route.method === method)
      return { route: route.name, id: decodeURIComponent(found[1] ?? '') };
  }
  return null;
}

/** Returns the issues of a body: the fields that are missing or unknown. */
export function findIssues(route: RouteName, body: unknown): Issue[] {
  const fields = requestFields[route];
  if (fields === undefined) return [];
  if (typeof body !== 'object' || body === null) return [{ path: '', message: 'must be an object' }];
  const missing = fields.required.filter((name) => !(name in body));
  const unknown = Object.keys(body).filter((name) => !fields.known.includes(name));
  return [
    ...missing.map((path) => ({ path, message: 'is missing' })),
    ...unknown.map((path) => ({ path, message: 'is not a known field' })),
  ];
}
