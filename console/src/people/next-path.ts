/** Returns the page to show after signing in. Only a path of the console counts, so that no link leads to another site. */
export function nextPath(asked: string | null): string {
  return asked !== null && /^\/(?![/\\])/.test(asked) && !/[\p{Cc}\\]/u.test(asked) ? asked : '/';
}
