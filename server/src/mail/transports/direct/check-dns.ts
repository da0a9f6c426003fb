import type { TransportCheck } from '../transport.ts';
import { DnsFailure, type MailDns } from './dns-answers.ts';

/** Checks whether DNS answers, by the MX records of a domain. Whether port 25 is open outward is not checked. */
export async function checkDns(dns: MailDns, domain: string): Promise<TransportCheck> {
  try {
    const { records, exists } = await dns.mx(domain);
    const names = records.map(({ exchange }) => exchange).join(', ');
    if (names !== '') return { ok: true, detail: `DNS answers: the MX of ${domain} is ${names}.` };
    return {
      ok: false,
      detail: exists
        ? `DNS answers, and ${domain} has no MX record, so it gets no replies.`
        : `DNS answers, and the domain ${domain} does not exist, so it gets no replies.`,
    };
  } catch (error) {
    if (error instanceof DnsFailure) return { ok: false, detail: error.message };
    throw error;
  }
}
