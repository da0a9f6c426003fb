import { isPublicAddress } from '../../../lib/ip-address.ts';
import { settingNames } from '../../../lib/start/start-error.ts';
import { type Finding, note, ok, problem } from '../finding.ts';
import type { Ask } from './ask-dns-records.ts';
import { reverseLabels } from './reverse-name.ts';

/** The lists that most receivers ask, and where an address is removed from them. */
const blocklists = [
  { zone: 'zen.spamhaus.org', hasIpv6: true, removal: 'https://check.spamhaus.org' },
  { zone: 'bl.spamcop.net', hasIpv6: false, removal: 'https://www.spamcop.net/bl.shtml' },
  { zone: 'b.barracudacentral.org', hasIpv6: false, removal: 'https://www.barracudacentral.org/lookups' },
];
type Blocklist = (typeof blocklists)[number];

const part = 'blocklists';
const textMax = 200;

/** Asks well-known block lists for the public addresses of this server. */
export async function examineBlocklists(addresses: string[], ask: Ask): Promise<Finding[]> {
  const asked = addresses.filter(isPublicAddress);
  if (asked.length === 0) return [note(part, 'No public address of this server is known.')];
  const found = asked.flatMap((address) =>
    blocklists
      .filter(({ hasIpv6 }) => hasIpv6 || !address.includes(':'))
      .map((list) => examineListing(address, list, ask)),
  );
  return Promise.all(found);
}

async function examineListing(address: string, { zone, removal }: Blocklist, ask: Ask): Promise<Finding> {
  const name = `${reverseLabels(address)}.${zone}`;
  const codes = (await ask(name, 'A')) as string[] | null;
  if (codes === null) return note(part, `${zone} does not answer about ${address}.`);
  if (codes.length === 0) return ok(part, `${address} is not on ${zone}`);
  if (codes.some((code) => code.startsWith('127.255.255.')))
    return note(
      part,
      `${zone} refused the question about ${address} (${codes.join(', ')}): it does not answer public resolvers.`,
      `Set ${settingNames.dns} to a resolver of your own, or look at ${removal}.`,
    );
  if (!codes.every((code) => code.startsWith('127.')))
    return note(
      part,
      `The resolver answers ${codes.join(', ')} for ${zone}, which is no answer of a block list.`,
      `Set ${settingNames.dns} to a resolver that does not change answers.`,
    );
  const texts = ((await ask(name, 'TXT')) ?? []) as string[][];
  const reason = texts
    .map((strings) => strings.join(''))
    .join(' ')
    .slice(0, textMax);
  return problem(
    part,
    `${address} is on ${zone} (${codes.join(', ')})${reason === '' ? '.' : `: ${reason}`}`,
    `Find the cause and ask for removal at ${removal}.`,
  );
}
