import type { Message } from 'postrider';
import { messageText } from '#strings/message.ts';

/** The proof about the sender of a message, in plain words. */
export interface Proof {
  level: 'proven' | 'unproven' | 'forged';
  sentence: string;
  help: string;
}

const text = messageText.proof;

/** Returns what is proven about the sender of an inbound message; null for an outbound one. */
export function proveSender({
  authentication,
  from_addr,
}: Pick<Message, 'authentication' | 'from_addr'>): Proof | null {
  if (authentication === null) return null;
  const { verified_domain, dmarc } = authentication;
  if (verified_domain !== null) {
    return {
      level: 'proven',
      sentence: text.proven(verified_domain),
      help: text.provenHelp(verified_domain),
    };
  }
  if (dmarc !== 'fail') return { level: 'unproven', sentence: text.unproven, help: text.unprovenHelp };
  const domain = from_addr.slice(from_addr.lastIndexOf('@') + 1);
  return { level: 'forged', sentence: text.forged, help: text.forgedHelp(domain) };
}
