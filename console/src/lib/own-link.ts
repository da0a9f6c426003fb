/**
 * Returns a signed link of the API on the origin of the page. The links that the API responds with begin with the public address of the
 * server, which may be another one than that in the browser, and the page may only load from its own.
 */
export function ownLink(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
}
