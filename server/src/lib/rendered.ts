/* Keeps the JSON of values that were rendered to measure them, so that they are not rendered again when they are sent. */

const rendered = new WeakMap<object, Buffer>();

/** Returns the JSON of a value, which must not change from here on. */
export function render(value: object): Buffer {
  const known = rendered.get(value);
  if (known) return known;
  const json = Buffer.from(JSON.stringify(value));
  rendered.set(value, json);
  return json;
}

/** Returns the JSON of a value if it was rendered before. */
export function renderedOf(value: unknown): Buffer | undefined {
  return typeof value === 'object' && value !== null ? rendered.get(value) : undefined;
}
