import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core';

/** A route with its place in the contract: `inboxes.create` is method `create` of resource `inboxes`. */
export interface RouteEntry {
  name: string;
  resource: string;
  method: string;
  route: AppRoute;
}

/** Returns all routes of a router of resources, in its order. */
export function listRoutes(router: AppRouter): RouteEntry[] {
  return Object.entries(router).flatMap(([resource, methods]) =>
    Object.entries<AppRoute | AppRouter>(methods as AppRouter).flatMap(([method, route]) =>
      isAppRoute(route) ? [{ name: `${resource}.${method}`, resource, method, route }] : [],
    ),
  );
}

/** Returns whether a route takes attachments, and therefore bodies of up to `limits.requestWithAttachmentsBytesMax` bytes. */
export function routeTakesAttachments(route: AppRoute): boolean {
  return hasMetadata(route, 'takesAttachments');
}

/** Returns whether a route takes the texts of a message, and therefore bodies of up to `limits.requestBesideAttachmentsBytesMax` bytes. */
export function routeTakesTexts(route: AppRoute): boolean {
  return hasMetadata(route, 'takesTexts');
}

/** Returns whether a route can cause an email to leave. */
export function routeSends(route: AppRoute): boolean {
  return hasMetadata(route, 'sends');
}

/** Returns whether a route responds with a stream of server-sent events if a request asks for one. */
export function routeStreams(route: AppRoute): boolean {
  return hasMetadata(route, 'streams');
}

function hasMetadata({ metadata }: AppRoute, name: string): boolean {
  return typeof metadata === 'object' && metadata !== null && name in metadata;
}
