/** A limit in JSON: one figure, or one for each kind. */
export type LimitValue = number | boolean | Record<string, number>;

/** Sets limits on an object. Throws if it lacks one, unless the name ends in `?`. */
export function loosenObject(
  place: string,
  object: Record<string, unknown>,
  values: Record<string, LimitValue>,
): void {
  for (const [key, value] of Object.entries(values)) {
    const name = key.replace(/\?$/, '');
    if (!(name in object)) {
      if (key !== name) continue;
      throw new Error(`There is no such limit: ${place} ${name}`);
    }
    object[name] = value;
  }
}
