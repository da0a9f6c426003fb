import { Postrider } from 'postrider';
import type { IdleSockets } from '../load/idle-sockets.ts';
import type { Bench } from './group.ts';
import { startScript } from './program.ts';
import { type Server, startServer } from './start-server.ts';

const socketCount = 10;

/** Starts a server. With `--followed`, its workspace has a webhook for its events, and ten sockets. */
export async function startFollowedServer(bench: Bench, env: Record<string, string> = {}): Promise<Server> {
  const databaseUrl = await bench.postgres.createDatabase();
  if (!bench.followed) return startServer(bench, databaseUrl, env);
  const server = await startServer(bench, databaseUrl, {
    ...env,
    POSTRIDER_WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  const sink = await startScript<{ port: number }>(new URL('../load/webhook-sink.ts', import.meta.url), {});
  bench.atEnd(sink.stop);
  const { origin, key } = server;
  const events = ['message.received', 'message.delivered'] as const;
  const url = `http://127.0.0.1:${sink.ready.port}/hooks`;
  await new Postrider({ apiKey: key, baseURL: `${origin}/v1` }).webhooks.create({ url, events: [...events] });
  const load: IdleSockets = { origin, keys: [key], each: socketCount };
  const sockets = await startScript(new URL('../load/idle-sockets.ts', import.meta.url), load);
  bench.atEnd(sockets.stop);
  return server;
}
