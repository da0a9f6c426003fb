/** A limit as JSON can say it, one figure or one for each kind. */
export type LimitValue = number | boolean | Record<string, number>;

/** Sets limits on an object that has them; throws where it lacks one, unless its name ends in `?`. */
export const loosenObject = (
  place: string,
  object: Record<string, unknown>,
  values: Record<string, LimitValue>,
): void => {
  for (const [key, value] of Object.entries(values)) {
    const name = key.replace(/\?$/, '');
    if (!(name in object)) {
      if (key !== name) continue;
      throw new Error(`There is no such limit: ${place} ${name}`);
    }
    object[name] = value;
  }
};
