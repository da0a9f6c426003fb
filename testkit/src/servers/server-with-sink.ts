import { MailSink } from '../smtp/mail-sink.ts';
import type { MailSinkOptions } from '../smtp/sink-script.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

/** A server that sends through the `smtp` transport, and the sink to which it sends. */
export interface ServerWithSink {
  server: TestServer;
  sink: MailSink;
  /** Puts an address on the suppression list of a workspace. */
  suppress(workspaceId: string, address: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a sink, and a server whose relay it is. */
export async function startServerWithSink(
  options: TestServerOptions & { sink?: MailSinkOptions } = {},
): Promise<ServerWithSink> {
  const { sink: sinkOptions, env, ...rest } = options;
  const sink = await MailSink.start(sinkOptions);
  const server = await startTestServer({
    ...rest,
    env: { POSTRIDER_TRANSPORT: 'smtp', POSTRIDER_SMTP_RELAY: `smtp://127.0.0.1:${sink.port}`, ...env },
  });
  return {
    server,
    sink,
    suppress: async (workspaceId, address) => {
      const values = [workspaceId, address, 'manual', new Date()];
      await server.rows(
        'insert into suppressions (workspace_id, address, reason, created_at) values ($1, $2, $3, $4)',
        values,
      );
    },
    stop: () => server.stop().finally(() => sink.close()),
  };
}
