import { MailSink } from './mail-sink.ts';
import type { MailSinkOptions } from './sink-script.ts';

/** Sinks at one port of 127.0.0.2, 127.0.0.3 and so on, as receivers are at port 25 of their own addresses. */
export interface SinkRow {
  port: number;
  sinks: MailSink[];
  /** The addresses of the sinks. */
  addresses: string[];
  close(): Promise<void>;
}

const portTriesMax = 20;

/** An address of this machine where nothing listens at the port of any row. */
export const deadAddress = '127.0.0.250';

/** Starts a sink for each of the options. A port that is taken at one of the addresses is left for another one. */
export async function startSinkRow(options: MailSinkOptions[]): Promise<SinkRow> {
  const addresses = options.map((_, index) => `127.0.0.${index + 2}`);
  for (let tries = 1; ; tries++) {
    const sinks: MailSink[] = [];
    try {
      for (const [index, one] of options.entries()) {
        const port = sinks[0]?.port ?? 0;
        sinks.push(await MailSink.start({ ...one, port, host: addresses[index]! }));
      }
      const close = async () => {
        await Promise.all(sinks.map((sink) => sink.close()));
      };
      return { port: sinks[0]?.port ?? 0, sinks, addresses, close };
    } catch (error) {
      await Promise.all(sinks.map((sink) => sink.close()));
      if (tries === portTriesMax) throw error;
    }
  }
}
