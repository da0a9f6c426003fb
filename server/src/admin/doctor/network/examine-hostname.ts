import { isPublicAddress } from '../../../lib/ip-address.ts';
import { settingNames } from '../../../lib/start/start-error.ts';
import { type Finding, note, ok, problem } from '../finding.ts';
import type { Ask } from './ask-dns-records.ts';
import { reverseNameOf } from './reverse-name.ts';

const part = 'hostname';

/**
 * Checks that the name of the SMTP greeting has addresses, and that each of them leads back to it (FCrDNS). Receivers refuse mail from
 * servers without that, so with `isSender` it is a problem.
 */
export async function examineHostname(
  hostname: string,
  { isSender, addresses, ask }: { isSender: boolean; addresses: string[] | null; ask: Ask },
): Promise<Finding[]> {
  const finding = isSender ? problem : note;
  if (!hostname.includes('.'))
    return [
      finding(
        part,
        `${hostname} is not a public name, and other servers may refuse it in HELO.`,
        `Set ${settingNames.smtpHostname} to the public name of this server.`,
      ),
    ];
  if (addresses === null)
    return [finding(part, `The resolver does not answer for ${hostname}.`, `Check ${settingNames.dns}.`)];
  if (addresses.length === 0)
    return [
      finding(
        part,
        `${hostname} has no address, and other servers may refuse it in HELO.`,
        `Publish A or AAAA of ${hostname}, or correct ${settingNames.smtpHostname}.`,
      ),
    ];
  const found = await Promise.all(
    addresses.map((address) => examineAddress(hostname, address, finding, ask)),
  );
  return found.flat();
}

async function examineAddress(
  hostname: string,
  address: string,
  finding: typeof problem,
  ask: Ask,
): Promise<Finding[]> {
  if (!isPublicAddress(address))
    return [
      finding(
        part,
        `${hostname} has the address ${address}, which is not public.`,
        'Publish the public address of this server.',
      ),
    ];
  const remedy = `Ask the provider of ${address} to set its reverse DNS (PTR) to ${hostname}.`;
  const pointers = (await ask(reverseNameOf(address), 'PTR')) as string[] | null;
  if (pointers === null)
    return [note(part, `The resolver does not answer for the PTR record of ${address}.`)];
  if (pointers.length === 0)
    return [finding(part, `${address} has no PTR record; many receivers refuse mail from it.`, remedy)];
  const names = pointers.map((name) => name.toLowerCase().replace(/\.$/, '')).slice(0, 3);
  const back = await Promise.all(
    names.map(async (name) => ((await ask(name, address.includes(':') ? 'AAAA' : 'A')) ?? []) as string[]),
  );
  const confirmed = names.filter((_, at) => back[at]?.includes(address));
  if (confirmed.length === 0)
    return [
      finding(
        part,
        `The PTR record of ${address} is ${names.join(', ')}, which does not lead back to it; many receivers refuse mail from it.`,
        remedy,
      ),
    ];
  return [
    confirmed.includes(hostname)
      ? ok(part, `${hostname} is ${address}, and back`)
      : note(part, `The PTR record of ${address} is ${confirmed.join(', ')}, not ${hostname}.`, remedy),
  ];
}
