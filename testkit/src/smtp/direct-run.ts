import { openDns } from '../../../server/src/dns/ask-resolver.ts';
import {
  createDirectTransport,
  type DirectTransportSettings,
} from '../../../server/src/mail/transports/direct/direct-transport.ts';
import type { Outcome, Transport, TransportJob } from '../../../server/src/mail/transports/transport.ts';
import { type DnsServer, startDnsServer } from '../dns/dns-server.ts';
import type { MailSink } from './mail-sink.ts';
import { type SinkRow, startSinkRow } from './sink-row.ts';
import type { MailSinkOptions } from './sink-script.ts';
import { makeJob, passSilence, patientTiming, waitUntil } from './transport-run.ts';

/** Receivers, a DNS server that names them, and a transport to them. */
export interface DirectRun {
  dns: DnsServer;
  row: SinkRow;
  sinks: MailSink[];
  transport: Transport;
  /** Sends a message to a recipient. */
  send(recipient: string, change?: Partial<TransportJob>): Promise<Outcome>;
  /**
   * Gives a domain MX records of falling preference: an index is the sink of that number, named `mx<index>.test`, and an address is a host
   * with that address.
   */
  point(domain: string, ...targets: (number | string)[]): void;
}

/**
 * Runs a test with receivers, closes everything, and fails if a connection is left open. With `silenceMs`, each silence of a receiver seems
 * to last that long.
 */
export async function withDirect(
  options: { sinks?: MailSinkOptions[]; settings?: Partial<DirectTransportSettings>; silenceMs?: number },
  test: (run: DirectRun) => Promise<void>,
): Promise<void> {
  const dns = await startDnsServer();
  const row = await startSinkRow(options.sinks ?? [{}, {}]);
  const transport = createDirectTransport({
    ...patientTiming,
    hostname: 'client.test',
    domain: 'shared.test',
    resolve: await openDns(dns.address),
    port: row.port,
    mayConnectTo: () => true,
    attemptMs: 300_000,
    ...options.settings,
  });
  for (const [index, address] of row.addresses.entries()) dns.set(`mx${index}.test`, 'A', [address]);
  const point = (domain: string, ...targets: (number | string)[]) => {
    const hosts = targets.map((target) => {
      if (typeof target === 'number') return `mx${target}.test`;
      const host = `host-${target.replaceAll(/[.:]/g, '-')}.test`;
      dns.set(host, target.includes(':') ? 'AAAA' : 'A', [target]);
      return host;
    });
    dns.set(
      domain,
      'MX',
      hosts.map((host, index) => `${(index + 1) * 10} ${host}`),
    );
  };
  const send = (recipient: string, change?: Partial<TransportJob>) =>
    transport.submit(makeJob(recipient, change));
  const { silenceMs } = options;
  const endSilence = silenceMs === undefined ? () => undefined : passSilence(row.sinks, silenceMs);
  try {
    await test({ dns, row, sinks: row.sinks, transport, send, point });
    await transport.close();
    for (const sink of row.sinks)
      await waitUntil(() => sink.openConnections === 0, 'the transport to leave no connection');
  } finally {
    endSilence();
    for (const sink of row.sinks) sink.cut();
    await transport.close();
    await row.close();
    await dns.close();
  }
}
