import type { AppRoute } from '@ts-rest/core';
import { type AnyErrorCode, answersByStatus, commonErrorCodes, listErrorCodes } from '../answers.ts';
import { errorCodes, isErrorCode } from '../errors/error-body.ts';
import type { AdminRight } from '../fields/admin-right.ts';

/** The parts of a route of the management API besides those of the console's contract. */
interface Managed {
  summary: string;
  description: string;
  /** A token needs one of them. */
  rights: AdminRight[];
  /** Whether only tokens of the operator may call it. Such a route is about no workspace that the request names. */
  isForOperator?: true;
  /** The errors that other routes do not have. */
  errors?: AnyErrorCode[];
}

/** Policies do not apply to people or their tokens. */
const common: AnyErrorCode[] = errorCodes.filter((code) => {
  const isCommon = (commonErrorCodes as readonly AnyErrorCode[]).includes(code);
  return (isCommon && code !== 'sending_not_allowed') || code === 'right_missing';
});

/** The error responses that all routes of the management API share. */
export const commonAnswers = answersByStatus(common);

/**
 * Returns a route of the console, or of the API, for the management API. Request and success stay as they are, and the errors are
 * those that programs handle.
 */
export function managed<Route extends AppRoute>(
  route: Route,
  { summary, description, rights, isForOperator, errors = [] }: Managed,
): Route {
  const declared = [...common, ...listErrorCodes(route), ...errors];
  const known = errorCodes.filter((code) => declared.includes(code) && code !== 'sending_not_allowed');
  const others = errors.filter((code) => !isErrorCode(code));
  const successes = Object.entries(route.responses).filter(([status]) => Number(status) < 300);
  return {
    ...route,
    summary,
    description,
    responses: { ...Object.fromEntries(successes), ...answersByStatus([...known, ...others]) },
    metadata: { rights, isForOperator },
  };
}

/** Returns all routes of a resource of the API for the management API, behind a right. */
export function managedAll<Routes extends Record<string, AppRoute>>(
  routes: Routes,
  right: AdminRight,
): Routes {
  return Object.fromEntries(
    Object.entries(routes).map(([name, route]) => {
      const { summary = '', description = '' } = route;
      return [name, managed(route, { summary, description, rights: [right] })];
    }),
  ) as Routes;
}

/** Returns whether only tokens of the operator may call a route. */
export function isForOperator({ metadata }: Pick<AppRoute, 'metadata'>): boolean {
  return (metadata as { isForOperator?: true } | undefined)?.isForOperator === true;
}

/** Returns the rights of which a token needs one for a route. */
export function rightsFor({ metadata }: Pick<AppRoute, 'metadata'>): AdminRight[] {
  const { rights } = (metadata ?? {}) as { rights?: AdminRight[] };
  // A route that says nothing of itself is closed to all.
  return rights ?? [];
}
