import { resolve } from 'node:path';
import type { ServerHome, ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { startEnv } from '@postrider/testkit/servers/start-env.ts';
import type { Target } from './target.ts';

/** Servers of one home. */
export interface Servers {
  targets: Target[];
  pids(): number[];
  /** Returns the number of servers that ended without being told to. */
  ended(): number;
  /** Returns the last relevant lines of the output of an ended server. */
  lastWords(): string;
  /** Kills them all at once, as a crash does. */
  crash(): Promise<void>;
}

/** The options of the servers. */
export interface ServersPlan {
  /** The folder of the checkout whose server is started. */
  checkout: string;
  processes: number;
  /** In the form that `preload-limits.ts` takes. */
  limits: Record<string, Record<string, unknown>>;
}

const heapMb = 512;

/** Starts servers, one after another. Resolves once all of them are ready. */
export async function openServers(
  home: ServerHome,
  { checkout, processes, limits }: ServersPlan,
): Promise<Servers> {
  const preload = new URL('./preload-limits.ts', import.meta.url);
  preload.search = String(
    new URLSearchParams({ checkout: resolve(checkout), limits: JSON.stringify(limits) }),
  );
  // As in `npm start`.
  const nodeOptions = `${startEnv.NODE_OPTIONS} --max-old-space-size=${heapMb} --import ${preload.href}`;
  const open: ServerProcess[] = [];
  for (let number = 0; number < processes; number++)
    open.push(await home.start({ ...startEnv, NODE_OPTIONS: nodeOptions, POSTRIDER_LOG: 'warn' }));
  let isCrashed = false;
  return {
    targets: open.map(({ url, smtpPort }) => ({ url, smtpPort })),
    pids: () => open.map(({ pid }) => pid),
    ended: () => (isCrashed ? 0 : open.filter((server) => server.hasEnded()).length),
    lastWords: () => lastLines(open.map((server) => server.output())),
    crash: async () => {
      isCrashed = true;
      await Promise.all(open.map((server) => server.crash()));
    },
  };
}

/** Returns the lines that show why a server ended. */
function lastLines(outputs: string[]): string {
  const telling = outputs.flatMap((text) =>
    text.split('\n').filter((line) => /FATAL|Error:|"level":[56]0/.test(line)),
  );
  return telling.slice(-3).join('\n').slice(0, 600);
}
