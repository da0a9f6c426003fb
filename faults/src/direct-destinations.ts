import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { startSinkRow } from '@postrider/testkit/smtp/sink-row.ts';
import type { SinkPoint } from '@postrider/testkit/smtp/sink-script.ts';

/** The behaviours of receivers, and how many there are of each. */
export const manners = { healthy: 14, greylist: 6, later: 5, drop: 5, refuse: 4, hang: 3, dead: 3 } as const;

/** How a receiver behaves. */
export type Manner = keyof typeof manners;

/** A domain with one receiver. */
export interface Receiver {
  domain: string;
  manner: Manner;
  /** Null if nothing listens at its address. */
  sink: MailSink | null;
}

/** Receivers at addresses of this machine, and the DNS that names them. */
export interface Receivers {
  all: Receiver[];
  /** The settings with which a server sends to them. */
  env: Record<string, string>;
  of(...wanted: Manner[]): Receiver[];
  /** Prepares a receiver for one more message: some of what it does is for each recipient. */
  expect(receiver: Receiver, recipient: string, random: () => number): void;
  close(): Promise<void>;
}

const dropPoints: SinkPoint[] = ['ehlo', 'mail', 'rcpt', 'data', 'dot'];
const dropShare = 0.3;
const laterTimesMax = 3;

/** Starts the receivers. Time runs 60 times as fast for the server, so that its retries happen within a run. */
export async function startReceivers(): Promise<Receivers> {
  const dns = await startDnsServer();
  const listed = Object.entries(manners).flatMap(([manner, count]) =>
    Array.from({ length: count }, (_, index) => ({ manner: manner as Manner, index })),
  );
  const living = listed.filter(({ manner }) => manner !== 'dead');
  const row = await startSinkRow(living.map(() => ({})));
  const all = listed.map(({ manner, index }): Receiver => {
    const domain = `${manner}${index}.example`;
    const place = living.findIndex((one) => one.manner === manner && one.index === index);
    const sink = row.sinks[place] ?? null;
    pointTo(dns, domain, row.addresses[place] ?? `127.0.0.${200 + index}`);
    if (manner === 'refuse') sink?.script({ at: 'rcpt', reply: '550 5.1.1 No such user' });
    if (manner === 'hang') sink?.script({ at: 'greeting', hang: true });
    return { domain, manner, sink };
  });
  return {
    all,
    env: {
      POSTRIDER_TRANSPORT: 'direct',
      POSTRIDER_DNS: dns.address,
      POSTRIDER_DIRECT_PORT: String(row.port),
      POSTRIDER_DIRECT_ALLOW_PRIVATE: 'true',
      POSTRIDER_TIME_SCALE: '60',
    },
    of: (...wanted) => all.filter(({ manner }) => wanted.includes(manner)),
    expect: misbehave,
    close: async () => {
      await row.close();
      await dns.close();
    },
  };
}

function pointTo(dns: DnsServer, domain: string, address: string): void {
  dns.set(`mx.${domain}`, 'A', [address]);
  dns.set(domain, 'MX', [`10 mx.${domain}`]);
}

function misbehave({ manner, sink }: Receiver, recipient: string, random: () => number): void {
  if (manner === 'greylist') sink?.script({ at: 'rcpt', recipient, reply: '451 4.7.1 Greylisted', times: 1 });
  if (manner === 'later') {
    const times = Math.floor(random() * (laterTimesMax + 1));
    if (times > 0) sink?.script({ at: 'rcpt', recipient, reply: '452 4.2.2 Later', times });
  }
  if (manner === 'drop' && random() < dropShare) {
    const at = dropPoints[Math.floor(random() * dropPoints.length)]!;
    sink?.script({ at, drop: true, times: 1 });
  }
}
