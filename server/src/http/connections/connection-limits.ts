/** The limits of connections. Anything beyond them is refused or ended. */
export const connectionLimits = {
  /** The most connections, however many descriptors there are. */
  connectionsMax: 20_000,
  /** The fewest, however few descriptors there are. */
  connectionsMin: 16,
  /** Descriptors kept for threads, files and a pool to Postgres. */
  descriptorsKept: 96,
  /** The share of all descriptors that is kept for mail (a quarter) and for requests to webhooks (an eighth). */
  descriptorsKeptPart: 3 / 8,
  /**
   * The most connections of one client (an IPv4 address, or an IPv6 network of 64 bits). If there are few in all, `perClientPart` of them.
   */
  perClientMax: 1_000,
  perClientPart: 1 / 4,
  /** Whether clients on this machine are exempt, since one may be a proxy that is not configured. */
  loopbackExempt: true,
  /** Requests of one connection that wait for their responses. */
  pipelinedMax: 32,
  /** How long a client that exceeded `pipelinedMax` may open no connection. */
  shunnedMs: 1_000,
  /** How long bytes may wait for a client that reads none of them. */
  unreadMs: 30_000,
  /** How long a connection may be without a request. Node ends a connection that sends nothing at all sooner. */
  idleMs: 90_000,
  /** How long the rest of a request may take after its response. */
  restMs: 10_000,
  lookEveryMs: 5_000,
};

/** Returns how many connections a process with this many descriptors takes. */
export function connectionsOf(descriptors: number): number {
  const { connectionsMax, connectionsMin, descriptorsKept, descriptorsKeptPart } = connectionLimits;
  const kept = descriptorsKept + Math.ceil(descriptors * descriptorsKeptPart);
  return Math.max(connectionsMin, Math.min(connectionsMax, descriptors - kept));
}

/** Returns how many of these connections one client may have. */
export function perClientOf(connections: number): number {
  return Math.max(
    1,
    Math.min(connectionLimits.perClientMax, Math.floor(connections * connectionLimits.perClientPart)),
  );
}
