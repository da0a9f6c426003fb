import type { SmtpLoad, SmtpLoadResult } from '../load/smtp-load.ts';
import { runScript } from './program.ts';

const script = new URL('../load/smtp-load.ts', import.meta.url);

/** Sends mail to a server from a separate process. Rejects if any mail was not acknowledged with 250. */
export async function sendLoad(load: SmtpLoad): Promise<SmtpLoadResult> {
  const result = await runScript<SmtpLoadResult>(script, load);
  const [answer] = Object.keys(result.refused);
  if (answer !== undefined) throw new Error(`Port ${load.port} answered: ${JSON.stringify(result.refused)}`);
  return result;
}
