import type { Attack } from './attack.ts';
import type { Connections } from './attack-connections.ts';
import type { AttackRequest } from './attack-http.ts';

/** A bad neighbour: one workspace on the smallest plan, or a stranger, with everything that such a client may try. */
export interface Attacker {
  name: string;
  /** A phrase that follows its name. */
  about: string;
  /** If set, its connections do nothing and have to be gone after 120 s, so it runs longer than that. */
  holdsConnections?: true;
  /** The mails in its inbox before the attack. */
  has?: { mails: number; sessions: number; make: MakeMail };
  /** Creates anything else that the attack needs. It is not judged. */
  prepare?(attack: Attack, means: Means): Promise<void>;
  /** Requests, `atOnce` of them at any time, with their numbers. They are made ready before the attack, as on another machine. */
  requests?: { atOnce: number; from(means: Means): (number: number) => AttackRequest };
  /** Sockets that are opened again whenever they end. With `framesMax`, each begins at the first event and ends after so many frames. */
  sockets?: { atOnce: number; framesMax?: number };
  /** Mail to its inbox, at most `most`, spread over the attack, so that the disk does not fill up in a long one. */
  mail?: { sessions: number; most: number; pauseMs?: number; make: MakeMail };
  connections?(attack: Attack, means: Means): Promise<Connections[]> | Connections[];
  /** Bytes that are sent on a connection each, without waiting for responses. */
  pipelines?: string[];
}

/** Makes a mail with an id, which answers the first mail of the inbox unless it is that. */
export type MakeMail = (id: string, first: string) => string;

/** The things of an attacker once it is prepared. The thread and the event are the first of the mails that it has. */
export interface Means {
  inbox: { id: string; address: string };
  threadId: string;
  eventId: string;
  /** The URL of a server, without a path. */
  origin: string;
}
