import { codeOf, StartError } from './start-error.ts';

/** An address to listen on, and the settings that it comes from. */
export interface ListenPlace {
  host: string;
  port: number;
  hostVariable: string;
  portVariable: string;
}

/** Returns an error that says why nothing can listen there. An error about anything else is returned unchanged. */
export function portProblem(place: ListenPlace, error: unknown): unknown {
  const { host, port, hostVariable, portVariable } = place;
  const code = codeOf(error);
  const where = `${host}:${port}`;
  const problem = (text: string) => new StartError(text, error);
  if (code === 'EADDRINUSE')
    return problem(
      `Another program listens at ${where} already. Stop it, or set ${portVariable} to another port; 0 takes a free one.`,
    );
  if (code === 'EACCES')
    return problem(`This user may not listen at ${where}. Set ${portVariable} to a port of 1024 or more.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return problem(`This machine has no address ${host}. Correct ${hostVariable}.`);
  return error;
}
