import type { RelayLoad } from '../load/smtp-sink.ts';
import type { Bench } from './group.ts';
import { startScript } from './program.ts';

const script = new URL('../load/smtp-sink.ts', import.meta.url);

/** A relay that takes every mail, and the settings of a server that sends through it. */
export interface Relay {
  port: number;
  settings: Record<string, string>;
}

/** Starts a relay in a process of its own. */
export async function startRelay(bench: Bench, load: RelayLoad = {}): Promise<Relay> {
  const sink = await startScript<{ port: number }>(script, load);
  bench.atEnd(sink.stop);
  const { port } = sink.ready;
  return {
    port,
    settings: { POSTRIDER_TRANSPORT: 'smtp', POSTRIDER_SMTP_RELAY: `smtp://127.0.0.1:${port}` },
  };
}
