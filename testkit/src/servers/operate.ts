import { callRunningServer } from '../../../server/src/admin/call-server.ts';

/**
 * Runs a command of the operator in the server that runs on a data folder, over its socket, and returns the result.
 *
 * @throws Error if no server runs on it.
 */
export async function operate(dataDir: string, command: string, input: object): Promise<unknown> {
  const answer = await callRunningServer(dataDir, command, input);
  if (!answer) throw new Error(`No server runs on ${dataDir}.`);
  return answer.result;
}
