/**
 * Returns the value of an environment variable, or undefined if it is empty or not set, or if there is no
 * environment.
 */
export function readEnvironment(name: string): string | undefined {
  const value = globalThis.process?.env?.[name]?.trim();
  return value === '' ? undefined : value;
}
