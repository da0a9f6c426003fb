/** What connections may do; what is beyond is refused or ended. */
export const connectionLimits = {
  /** However many descriptors there are. */
  connectionsMax: 20_000,
  /** However few there are. */
  connectionsMin: 16,
  /** Descriptors kept for threads, files and a pool to Postgres. */
  descriptorsKept: 96,
  /** The share of all that is kept for mail (a quarter) and for posts to webhooks (an eighth). */
  descriptorsKeptPart: 3 / 8,
  /** The embedded database keeps the files of its tables open. */
  descriptorsOfEmbeddedDatabase: 224,
  /** Of one client (an IPv4 address, or an IPv6 network of 64 bits); a part of all where these are few. */
  perClientMax: 1_000,
  perClientPart: 1 / 4,
  /** Whether this machine, where a proxy may be that nobody told of, is free of it. */
  loopbackExempt: true,
  /** Requests of one connection that wait for their answers. */
  pipelinedMax: 32,
  /** How long a client that had more is not let in. */
  shunnedMs: 1_000,
  /** How long bytes may wait for a client that takes none of them. */
  unreadMs: 30_000,
  /** How long a connection may be without a request; Node gives up sooner on one that sends nothing at all. */
  idleMs: 90_000,
  /** How long the rest of a request that was answered already may take. */
  restMs: 10_000,
  lookEveryMs: 5_000,
};

/** How many connections a process with so many descriptors takes. */
export const connectionsOf = (descriptors: number, isEmbedded: boolean): number => {
  const { connectionsMax, connectionsMin, descriptorsKept, descriptorsKeptPart } = connectionLimits;
  const ofDatabase = isEmbedded ? connectionLimits.descriptorsOfEmbeddedDatabase : 0;
  const kept = descriptorsKept + ofDatabase + Math.ceil(descriptors * descriptorsKeptPart);
  return Math.max(connectionsMin, Math.min(connectionsMax, descriptors - kept));
};

/** How many of them one client may have. */
export const perClientOf = (connections: number): number =>
  Math.max(
    1,
    Math.min(connectionLimits.perClientMax, Math.floor(connections * connectionLimits.perClientPart)),
  );
