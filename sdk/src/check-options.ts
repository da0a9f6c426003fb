import { PostriderError } from './errors.ts';

/**
 * Throws a `PostriderError` if the options are not an object or one of them is unknown, because nothing else
 * notices this in plain JavaScript.
 */
export function checkOptions(where: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    throw new PostriderError(
      `${where} takes an object with ${known.join(', ')}, but got a ${typeof options}.`,
    );
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue;
    const meant = known.find((one) => isAlike(plain(name), plain(one)));
    const advice = meant === undefined ? `It takes ${known.join(', ')}.` : `Did you mean ${meant}?`;
    throw new PostriderError(`${name} is not an option of ${where}. ${advice}`);
  }
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

function isAlike(name: string, known: string): boolean {
  return name !== '' && (known.includes(name) || name.includes(known));
}
