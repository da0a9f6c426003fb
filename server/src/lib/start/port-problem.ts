import { codeOf, StartError } from './start-error.ts';

/** Where something was to listen, and the settings that say so. */
export interface ListenPlace {
  host: string;
  port: number;
  hostVariable: string;
  portVariable: string;
}

/** Says why nothing can listen there; an error that is about something else stays as it is. */
export const portProblem = (place: ListenPlace, error: unknown): unknown => {
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
};
