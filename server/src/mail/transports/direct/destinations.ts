import { Circuit } from '../../../lib/admission/circuit.ts';
import { type LanePlace, Lanes } from '../../../lib/admission/lanes.ts';
import { RelayFailure, toFailure } from '../classify-reply.ts';
import { RelayPool, type RelayPoolSettings } from '../relay-pool.ts';
import type { RelaySession } from '../relay-session.ts';
import { type Deferred, deferredByRelay } from '../transport.ts';
import { DestinationFailure, type SessionPlan } from './open-session.ts';

/** The limits of all destinations together and of each, in numbers and milliseconds. */
export interface DestinationRules extends RelayPoolSettings {
  socketsMax: number;
  /** The sockets of destinations that are not known to work. */
  unprovenSocketsMax: number;
  unprovenSocketsOfOwnerMax: number;
  idleSocketsMax: number;
  waitingMax: number;
  backOffFirstMs: number;
  backOffMostMs: number;
}

/** A session that a message needs. */
export interface Borrowing extends SessionPlan {
  /** The workspace that sends the message; empty if there is none. */
  owner: string;
  fresh: boolean;
  signal: AbortSignal;
}

/** The servers of one provider, however many domains they serve. */
export interface Destination {
  readonly pool: RelayPool;
  /** Lends a session. Rejects with a `RelayFailure`, at once if the destination failed a moment ago. */
  borrow(wanted: Borrowing): Promise<RelaySession>;
  release(session: RelaySession): void;
  /** Records whether the servers worked for the last message. */
  note(hasFailed: boolean): void;
}

interface Parts {
  rules: DestinationRules;
  sockets: Lanes;
  nowMs(): number;
  countIdle(change: 1 | -1): void;
  open(plan: SessionPlan, signal: AbortSignal): Promise<RelaySession>;
}

const destinationsMax = 5_000;

/**
 * Each owner has two lanes of sockets. However many connections hang at destinations that are not known to work, other destinations and
 * other owners have room.
 */
const [proven, unproven] = ['+', '-'] as const;

/** The destinations of mail, each with its own connections and back-off, and within common limits. */
export class Destinations {
  readonly #parts: Parts;
  /** The one that was used last is at the end. */
  readonly #byKey = new Map<string, Destination>();
  #idle = 0;

  constructor({ rules, nowMs, open }: Pick<Parts, 'rules' | 'nowMs' | 'open'>) {
    const sockets = new Lanes({
      placesMax: rules.socketsMax,
      keptForOthers: 0,
      failingMax: rules.unprovenSocketsOfOwnerMax,
      failingInAllMax: rules.unprovenSocketsMax,
      isFailing: (lane) => lane.startsWith(unproven),
      makeRoom: () => this.#closeIdle(),
    });
    const countIdle = (change: 1 | -1) => {
      this.#idle += change;
    };
    this.#parts = { rules, sockets, nowMs, countIdle, open };
  }

  /** Returns the destination of a key. */
  of(key: string): Destination {
    const destination = this.#byKey.get(key) ?? this.#make(key);
    this.#byKey.delete(key);
    this.#byKey.set(key, destination);
    if (this.#byKey.size > destinationsMax) this.#forgetUnused();
    return destination;
  }

  async close(graceMs: number): Promise<void> {
    await Promise.all([...this.#byKey.values()].map(({ pool }) => pool.close(graceMs)));
  }

  #make(key: string): Destination {
    const destination = createDestination(key, this.#parts);
    const release = (session: RelaySession) => {
      destination.release(session);
      if (this.#idle > this.#parts.rules.idleSocketsMax) this.#closeIdle();
    };
    return { ...destination, release };
  }

  /** Closes an idle connection of the destination that was used least lately. */
  #closeIdle(): void {
    for (const { pool } of this.#byKey.values()) if (pool.closeIdle()) return;
  }

  #forgetUnused(): void {
    for (const [key, { pool }] of this.#byKey) {
      if (pool.connections > 0 || pool.waiting > 0) continue;
      this.#byKey.delete(key);
      return;
    }
  }
}

function createDestination(key: string, { rules, sockets, nowMs, countIdle, open }: Parts): Destination {
  const pool = new RelayPool(rules, countIdle);
  const { backOffFirstMs: firstMs, backOffMostMs: mostMs } = rules;
  const circuit = new Circuit({ firstMs, mostMs, nowMs });
  let lastFailure: Deferred = deferredByRelay('The servers of the recipient failed a moment ago.');
  const places = new Map<LanePlace, string>();
  let isProven = false;
  const note = (hasFailed: boolean) => {
    isProven = !hasFailed;
    pool.note(key, hasFailed);
    if (isProven) for (const [place, owner] of places) place.move(proven + owner);
  };

  async function openFor(owner: string, plan: SessionPlan, signal: AbortSignal): Promise<RelaySession> {
    if (!circuit.begin()) throw new DestinationFailure(lastFailure);
    let place: LanePlace | null = null;
    const leave = () => {
      if (place === null) return;
      places.delete(place);
      place.leave();
    };
    try {
      place = await sockets.take((isProven ? proven : unproven) + owner, signal);
      if (place === null) throw new RelayFailure('No connection became free.');
      places.set(place, owner);
      const session = await open(plan, signal);
      void session.closed.then(leave);
      circuit.succeeded();
      return session;
    } catch (error) {
      leave();
      if (error instanceof DestinationFailure) failed(error);
      else circuit.abandoned();
      throw toFailure(error);
    }
  }

  function failed({ deferral }: DestinationFailure): void {
    lastFailure = deferral;
    note(true);
    // Servers that still hold connections are not away: they accept no further ones.
    if (pool.sessions > 0) circuit.abandoned();
    else circuit.failed();
  }

  // Until it works for the first time, a destination gets no more connections than a failing one.
  pool.note(key, true);
  return {
    pool,
    borrow: async ({ owner, hosts, isStrict, fresh, signal }) => {
      if (circuit.isResting && pool.sessions === 0) throw new DestinationFailure(lastFailure);
      if (pool.waiting >= rules.waitingMax)
        throw new RelayFailure(`${rules.waitingMax} messages wait for the servers of the recipient.`);
      const openPlan = (within: AbortSignal) => openFor(owner, { hosts, isStrict }, within);
      return pool.acquire({ open: openPlan, fresh, destination: key, signal });
    },
    release: (session) => pool.release(session),
    note,
  };
}
