/* The JSON of what was rendered to see how large it is, so that it is not rendered again when it is sent. */

const rendered = new WeakMap<object, Buffer>();

/** The JSON of a value, which must not change from here on. */
export const render = (value: object): Buffer => {
  const known = rendered.get(value);
  if (known) return known;
  const json = Buffer.from(JSON.stringify(value));
  rendered.set(value, json);
  return json;
};

/** The JSON of a value where it was rendered before. */
export const renderedOf = (value: unknown): Buffer | undefined =>
  typeof value === 'object' && value !== null ? rendered.get(value) : undefined;
