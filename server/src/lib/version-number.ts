/** Returns a version, such as 1.2.3 or 1.2.3-rc.1, as a number that is greater for a later one. Pre-releases come before the release. */
export function versionNumber(version: string): number {
  const [release = '', preRelease] = (version.split('+', 1)[0] ?? '').split('-', 2);
  const number = release.split('.').reduce((sum, part) => sum * 1_000 + Number(part), 0);
  const last = preRelease === undefined ? 99 : Math.min(98, Number(/\d+$/.exec(preRelease)?.[0] ?? 0));
  return number * 100 + last;
}
