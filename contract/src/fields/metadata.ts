import * as z from 'zod';
import { limits } from '../limits.ts';
import { about } from './scalars.ts';
import { plainText } from './texts.ts';

const example = { customer: '4711' };
const description =
  'Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ . -`, with values of up to 500 characters.';

/** The caller's own keys and values in a response; `{}` if there are none. */
export const Metadata = z
  .record(z.string(), z.string())
  .meta({ id: 'Metadata', ...about(description, example) });
export type Metadata = z.infer<typeof Metadata>;

const keyPattern = new RegExp(`^[A-Za-z0-9_.-]{1,${limits.metadataKeyCharactersMax}}$`);

/** Checks the keys before anything else, and their number first, because checking a million keys would take seconds. */
function checkKeys(metadata: unknown, ctx: z.RefinementCtx): unknown {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return metadata;
  const keys = Object.keys(metadata);
  if (keys.length > limits.metadataKeysMax) {
    ctx.addIssue({ code: 'custom', message: `must be at most ${limits.metadataKeysMax} keys` });
    return z.NEVER;
  }
  // `__proto__` names the prototype of an object, so it would be lost as a key.
  const wrong = keys.find((key) => key === '__proto__' || !keyPattern.test(key));
  if (wrong === undefined) return metadata;
  ctx.addIssue({
    code: 'custom',
    message: `must have keys of 1 to ${limits.metadataKeyCharactersMax} characters of A-Z a-z 0-9 _ . -`,
  });
  return z.NEVER;
}

/** The caller's own keys and values in a request. They replace all existing ones. */
export const MetadataIn = z
  .preprocess(checkKeys, z.record(z.string(), plainText(0, limits.metadataValueCharactersMax)))
  .meta(about(`${description} They replace all existing ones.`, example));
