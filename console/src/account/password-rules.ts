import type { consoleLimits } from '@postrider/contract/console';

type Limits = typeof consoleLimits;

/** The minimum and maximum length of a password. */
export const passwordCharacters: {
  min: Limits['passwordCharactersMin'];
  max: Limits['passwordCharactersMax'];
} = { min: 10, max: 256 };

const goodCharacters = 14;
const strongCharacters = 18;

/** A fault of a password. */
export type PasswordFault = 'short' | 'email';

/** The hint for a person who chooses a password. */
export interface PasswordReview {
  faults: PasswordFault[];
  /** 0 for a password that is refused, otherwise 1 to 3 by its length. */
  strength: 0 | 1 | 2 | 3;
}

/**
 * Reviews a new password: length counts, and composition does not (NIST SP 800-63B, section 3.1.1.2). The email address of the person,
 * with or without its domain, is no password. A few characters again and again are a weak one.
 */
export function reviewPassword(password: string, email: string | null): PasswordReview {
  const faults: PasswordFault[] = [];
  if ([...password].length < passwordCharacters.min) faults.push('short');
  if (isAddress(password, email)) faults.push('email');
  if (faults.length > 0) return { faults, strength: 0 };
  return { faults, strength: measureStrength(password) };
}

function isAddress(password: string, email: string | null): boolean {
  if (email === null || password === '') return false;
  const lower = password.trim().toLowerCase();
  return lower === email.toLowerCase() || lower === email.toLowerCase().split('@')[0];
}

function measureStrength(password: string): 1 | 2 | 3 {
  const characters = [...password];
  // A few characters again and again are as easy to guess as a short password.
  if (new Set(characters).size < passwordCharacters.min / 2) return 1;
  if (characters.length >= strongCharacters) return 3;
  return characters.length >= goodCharacters ? 2 : 1;
}
