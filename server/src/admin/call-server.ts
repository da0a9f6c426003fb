import { text } from 'node:stream/consumers';
import { askServer } from '../lib/start/running-server.mjs';

/**
 * Runs a command in the running server of this data folder. Returns null if none is running.
 *
 * @throws Error with the problem that the server reported.
 */
export async function callRunningServer(
  dataDir: string,
  command: string,
  input: unknown,
): Promise<{ result: unknown } | null> {
  const response = await askServer(dataDir, { command, input });
  if (response === null) return null;
  const { result, problem } = JSON.parse(await text(response)) as { result: unknown; problem?: string };
  if (problem !== undefined) throw new Error(problem);
  return { result };
}

/** Returns whether a server of this data folder is running. */
export async function isServerRunning(dataDir: string): Promise<boolean> {
  const response = await askServer(dataDir, { command: 'none' }).catch(() => null);
  response?.resume();
  return response !== null;
}
