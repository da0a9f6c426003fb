import type { SmtpLoad, SmtpLoadResult } from '../load/smtp-load.ts';
import { runScript } from './program.ts';

const script = new URL('../load/smtp-load.ts', import.meta.url);

/** Sends mail to a server from a process of its own; rejects when a single mail was not answered 250. */
export const sendLoad = async (load: SmtpLoad): Promise<SmtpLoadResult> => {
  const result = await runScript<SmtpLoadResult>(script, load);
  const [answer] = Object.keys(result.refused);
  if (answer !== undefined) throw new Error(`Port ${load.port} answered: ${JSON.stringify(result.refused)}`);
  return result;
};
