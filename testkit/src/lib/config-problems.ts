import { ConfigError, readConfig } from '../../../server/src/config/config.ts';

/** Returns what is wrong with some settings of the server, a sentence each. */
export function listProblems(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
