import { readdir, readFile } from 'node:fs/promises';
import { nowMs } from './figures.ts';

/** The resources that a server used while it was watched. */
export interface Watched {
  /** The most memory of one process, in MB. */
  rssMb: number;
  /** The most descriptors of one process. */
  descriptors: number;
  /** The most connections of idle clients at one time that had been open for more than 120 s. */
  idleConnections: number;
  /** The memory of the process that used the most, over time. */
  samples: { at: number; rssMb: number }[];
}

const everyMs = 250;
const connectionsEveryMs = 2_000;
const idleAfterMs = 120_000;
/** The time that a connection may take to close, and this program to notice. */
const toleranceMs = 5_000;

/** Watches processes until `stop` is called. */
export function watchServers(pids: () => number[], ports: () => number[]) {
  const watched: Watched = { rssMb: 0, descriptors: 0, idleConnections: 0, samples: [] };
  let firstSeen = new Map<string, number>();
  let looked = 0;
  const look = async () => {
    const sizes = await Promise.all(pids().map(readRssMb));
    const counts = await Promise.all(pids().map(countDescriptors));
    const rssMb = Math.max(0, ...sizes);
    watched.rssMb = Math.max(watched.rssMb, rssMb);
    watched.descriptors = Math.max(watched.descriptors, ...counts);
    watched.samples.push({ at: nowMs(), rssMb });
    if (looked++ % (connectionsEveryMs / everyMs) !== 0) return;
    const held = await heldByServer(ports());
    const now = nowMs();
    firstSeen = new Map(held.map((connection) => [connection, firstSeen.get(connection) ?? now]));
    const old = [...firstSeen.values()].filter((since) => now - since > idleAfterMs + toleranceMs);
    watched.idleConnections = Math.max(watched.idleConnections, old.length);
  };
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(look).catch(() => undefined);
  }, everyMs);
  const stop = async (): Promise<Watched> => {
    clearInterval(timer);
    await looking;
    return watched;
  };
  return { stop };
}

/** Returns the memory of a process in MB, or 0 if it has ended. */
async function readRssMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024);
}

async function countDescriptors(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`).catch(() => [])).length;
}

/**
 * Returns the connections of idle clients (127.0.x.100 and above) to these ports for which a process still has a descriptor. They are named
 * by address and inode, because a client may use a port again.
 */
async function heldByServer(ports: number[]): Promise<string[]> {
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').slice(1);
  return rows.flatMap((row) => {
    const [, local = '', remote = '', , , , , , , inode] = row.trim().split(/\s+/);
    const isServer = ports.includes(Number.parseInt(local.split(':')[1] ?? '', 16));
    // Addresses are in the byte order of the machine, so the last byte of an address comes first.
    const isIdleClient = Number.parseInt(remote.slice(0, 2), 16) >= idleAddressFrom;
    return isServer && isIdleClient && inode !== '0' ? [`${remote} ${inode}`] : [];
  });
}

/** The least last byte of the addresses of connections that do nothing. */
export const idleAddressFrom = 100;
