import { fileURLToPath } from 'node:url';
import { type StartedServer, startServer as start } from 'postrider/testing';

const folder = fileURLToPath(new URL('../../../', import.meta.url));

/** Starts the server of this clone with an empty data folder and the given settings. */
export function startServer(settings: Record<string, string> = {}): Promise<StartedServer> {
  return start({ folder, env: settings });
}
