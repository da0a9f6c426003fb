import { type Route, type RouteName, routeOf } from './generated/routes.ts';

/** What is called: a route of the contract, or one that is newer. */
export interface Target extends Route {
  /** What it is called in errors and in the log. */
  name: string;
  /** Whether a repeat is harmless though it is a plain POST. */
  isRepeatable?: boolean;
}

/** The target of a route. */
export function targetOf(name: RouteName): Target {
  return { ...routeOf(name), name };
}
