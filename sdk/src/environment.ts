/**
 * Returns the value of an environment variable; undefined when it is empty or not set, or when there is no
 * environment.
 */
export function readEnvironment(name: string): string | undefined {
  const value = globalThis.process?.env?.[name]?.trim();
  return value === '' ? undefined : value;
}
