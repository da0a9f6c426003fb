import type { InboundConnection } from './smtp-connection.ts';
import type { SmtpLimits } from './smtp-limits.ts';

type WaitingLimits = Pick<SmtpLimits, 'crowdedIdleTimeoutMs'>;

const sweepIntervalMs = 1_000;
/** A client with an open envelope may be idle for this many times `crowdedIdleTimeoutMs`: from MAIL to DATA is some seconds' work. */
const envelopePatience = 2;

/** The connections of a server, those that have been without a message for longest first: when many are taken, they give way. */
export class WaitingClients {
  readonly #limits: WaitingLimits;
  readonly #isCrowded: () => boolean;
  /** A function for each that gives its place back. */
  readonly #releases = new Map<InboundConnection, () => void>();
  #sweeping: NodeJS.Timeout | undefined;

  constructor(limits: WaitingLimits, isCrowded: () => boolean) {
    this.#limits = limits;
    this.#isCrowded = isCrowded;
  }

  /** Takes in a new connection; `release` is called once, when it ends or gives way. */
  add(connection: InboundConnection, release: () => void): void {
    this.#releases.set(connection, release);
    if (this.#isCrowded()) this.#sweepSoon();
  }

  /** Notes that the client got the reply to a message: it is now the last to give way. */
  renew(connection: InboundConnection): void {
    const release = this.#releases.get(connection);
    if (!release) return;
    connection.renew();
    this.#releases.delete(connection);
    this.#releases.set(connection, release);
  }

  remove(connection: InboundConnection): void {
    const release = this.#releases.get(connection);
    this.#releases.delete(connection);
    release?.();
  }

  /** Ends the connection that has been without a message for longest, and says whether there was one. */
  makeRoom(): boolean {
    for (const connection of this.#releases.keys()) {
      if (!this.#mayGo(connection)) continue;
      this.#end(connection);
      return true;
    }
    return false;
  }

  #mayGo(connection: InboundConnection): boolean {
    if (connection.receiving) return connection.dripping;
    return (
      !connection.hasEnvelope || connection.waitedMs > envelopePatience * this.#limits.crowdedIdleTimeoutMs
    );
  }

  #end(connection: InboundConnection): void {
    this.remove(connection);
    connection.giveWay();
  }

  #sweepSoon(): void {
    this.#sweeping ??= setTimeout(() => {
      this.#sweeping = undefined;
      this.#sweep();
    }, sweepIntervalMs).unref();
  }

  #sweep(): void {
    for (const connection of this.#releases.keys()) {
      if (!this.#isCrowded() || connection.waitedMs <= this.#limits.crowdedIdleTimeoutMs) break;
      if (this.#mayGo(connection)) this.#end(connection);
    }
    if (this.#isCrowded()) this.#sweepSoon();
  }
}
