import type { Bench } from './group.ts';
import { type Program, startScript } from './program.ts';

/** Starts the SMTP baseline, bare smtp-server and one INSERT, on a database of its own. */
export async function startInsert(bench: Bench): Promise<Program<{ port: number }>> {
  const program = await startScript<{ port: number }>(
    new URL('../baselines/insert-smtp.ts', import.meta.url),
    {
      databaseUrl: await bench.postgres.createDatabase(),
    },
  );
  bench.atEnd(program.stop);
  return program;
}
