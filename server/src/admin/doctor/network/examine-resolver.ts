import { codeOf } from '../../../lib/start/start-error.ts';
import type { DnsResolve } from '../../../mail/authenticate/ask-dns.ts';
import { type Finding, note, ok } from '../finding.ts';

/** A name whose signatures are wrong on purpose, and one whose signatures are right. */
const badlySigned = 'dnssec-failed.org';
const wellSigned = 'ietf.org';

/** Tells whether the resolver validates DNSSEC: then it has no answer for a name with wrong signatures. */
export async function examineResolver(resolve: DnsResolve): Promise<Finding[]> {
  const part = 'resolver';
  const [bad, good] = await Promise.all([answerFor(resolve, badlySigned), answerFor(resolve, wellSigned)]);
  if (good !== 'found')
    return [note(part, `whether it validates DNSSEC is unknown: ${wellSigned} has no answer`)];
  if (bad === 'found')
    return [
      note(
        part,
        'does not validate DNSSEC, so forged answers about other domains go unnoticed',
        'Use a resolver that does, such as unbound on this machine.',
      ),
    ];
  return bad === 'refused'
    ? [ok(part, 'validates DNSSEC')]
    : [note(part, `whether it validates DNSSEC is unknown: ${badlySigned} has no answer`)];
}

async function answerFor(resolve: DnsResolve, name: string): Promise<'found' | 'refused' | 'unknown'> {
  try {
    return (await resolve(name, 'A')).length > 0 ? 'found' : 'unknown';
  } catch (error) {
    return codeOf(error) === 'ESERVFAIL' ? 'refused' : 'unknown';
  }
}
