import type { Role } from '@postrider/contract/console';
import type { Deps } from '../deps.ts';

/** The device that a person uses. */
export interface Device {
  userAgent: string | null;
  address: string | null;
}

/** A person who is signed in, and the session. */
export interface SignedIn {
  personId: string;
  sessionId: string;
  email: string;
}

/** What a function about a person's own account runs in. */
export interface PersonContext extends Deps, SignedIn {
  device: Device;
  requestId: string | null;
}

/** The operator of the server, who changes the people of a workspace by the command line. */
export interface OperatorContext extends Pick<Deps, 'db' | 'clock' | 'wakeups' | 'address'> {
  workspaceId: string;
  personId: null;
}

/** What a function about the people of a workspace runs in. */
export interface MemberContext extends PersonContext {
  workspaceId: string;
  role: Role;
  isTest: boolean;
}
