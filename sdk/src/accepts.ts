import { PostriderError } from './errors.ts';

/** Returns whether `match` accepts a value. Throws a `PostriderError` if `match` returns a promise. */
export function accepts<Value>(match: ((value: Value) => boolean) | undefined, value: Value): boolean {
  const answer: unknown = match === undefined || match(value);
  if (typeof Object(answer).then === 'function') {
    throw new PostriderError(
      'match must return at once, but it returned a promise, which would accept everything.',
    );
  }
  return Boolean(answer);
}
