import type { CheckedSignature } from './verify-signatures.ts';

/** What a check came to, in the words of RFC 8601. */
export type AuthenticationResult =
  | 'pass'
  | 'fail'
  | 'softfail'
  | 'neutral'
  | 'policy'
  | 'none'
  | 'temperror'
  | 'permerror';

const severity: AuthenticationResult[] = [
  'pass',
  'temperror',
  'fail',
  'policy',
  'permerror',
  'neutral',
  'none',
];

/** The result of that name; a name that is none of RFC 8601 says nothing. */
export function readResult(text: string): AuthenticationResult {
  return [...severity, 'softfail' as const].find((result) => result === text) ?? 'neutral';
}

/** One result for all signatures of a mail: one that holds is enough, else the one that says most. */
export function summarizeSignatures(signatures: CheckedSignature[]): AuthenticationResult {
  const results = signatures.map(({ result, comment }) => {
    if (result !== 'neutral') return readResult(result);
    // RFC 6376, section 6.1: these are permanent, though the library calls them neutral.
    if (comment === 'body hash did not verify') return 'fail';
    return /key/.test(comment) ? 'permerror' : 'neutral';
  });
  return severity.find((result) => results.includes(result)) ?? 'none';
}
