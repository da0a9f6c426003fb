import { type Route, type RouteName, readRoute } from '../generated/routes.ts';

/** The target of a call: a route of the contract, or one that is newer than this client. */
export interface Target extends Route {
  /** Its name in errors and in the log. */
  name: string;
  /** Whether repeating the call is harmless, although the route is a plain POST. */
  isRepeatable?: boolean;
}

/** Returns the target for a route of the contract. */
export function findTarget(name: RouteName): Target {
  return { ...readRoute(name), name };
}
