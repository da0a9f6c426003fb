/* Examines SMTP: whether port 25 leads here, whether this server may use port 25 of others, and which certificate it presents. */

import { X509Certificate } from 'node:crypto';
import type { Config } from '../../../config/config.ts';
import type { TlsSettings } from '../../../config/tls.ts';
import { codeOf, sayError, settingNames } from '../../../lib/start/start-error.ts';
import { readCertificate } from '../../../tls/read-certificate.ts';
import { type Finding, note, ok, problem } from '../finding.ts';
import { type Ask, readAddresses } from './examine-dns.ts';
import { type PresentedCertificate, readGreeting, readPresented } from './speak-smtp.ts';

const connectMs = 5_000;
const addressesMax = 4;
const smtpPort = 25;

/** The receivers that outbound connections are tried with: either of them may be away. */
const wellKnownReceivers = ['gmail.com', 'outlook.com'];

/**
 * Connects to the public name of this server as others do, and reads its greeting. If the MX hosts of the mail domain are known and this
 * server is not one of them, mail arrives by another server, and port 25 of this one need not be open.
 */
export async function examineInbound(
  hostname: string,
  addresses: string[],
  exchanges: string[] | null,
  port = smtpPort,
): Promise<Finding[]> {
  if (exchanges && exchanges.length > 0 && !exchanges.includes(hostname))
    return [note('inbound', `port ${port} was not tried, because mail goes to ${exchanges.join(', ')}`)];
  return Promise.all(
    addresses.slice(0, addressesMax).map((address) => examineInboundAt(hostname, address, port)),
  );
}

async function examineInboundAt(hostname: string, host: string, port: number): Promise<Finding> {
  const part = 'inbound';
  try {
    const { code, text } = await readGreeting({ host, port, timeMs: connectMs });
    const [name = ''] = text.split(' ');
    if (code !== 220)
      return problem(
        part,
        `Port ${port} of ${host} answers ${code} ${text}`,
        'Look at the log of the server.',
      );
    return name.toLowerCase() === hostname.toLowerCase()
      ? ok(part, `port ${port} of ${host} leads to ${hostname} from here; a firewall may still block others`)
      : problem(
          part,
          `Another server responds on port ${port} of ${host}: ${text}`,
          `Forward port ${port} to this server, or correct the address of ${hostname}.`,
        );
  } catch (error) {
    const remedy =
      `Forward port ${port} to ${settingNames.smtpPort} and open it in every firewall. ` +
      `If the router does not lead back to its own network, try "nc ${hostname} ${port}" from another network.`;
    return problem(part, `Nothing responds on port ${port} of ${host}: ${findReason(error)}.`, remedy);
  }
}

/** Tries whether this machine may connect to port 25 of others, which most cloud providers block. */
export async function examineOutbound(ask: Ask, port = smtpPort): Promise<Finding[]> {
  const part = 'outbound';
  const tried = await Promise.all(wellKnownReceivers.map((domain) => tryReceiver(domain, ask, port)));
  const reached = tried.find(({ isReached }) => isReached);
  if (reached) return [ok(part, reached.text)];
  const text = `No mail server of another domain can be reached: ${tried.map((one) => one.text).join('; ')}.`;
  if (tried.every(({ isUnknown }) => isUnknown)) return [note(part, text, `Check ${settingNames.dns}.`)];
  return [
    problem(
      part,
      text,
      `Most cloud providers block outgoing port ${port}. Ask yours to open it, or send through a relay: ` +
        `${settingNames.transport}=smtp with ${settingNames.smtpRelay}.`,
    ),
  ];
}

interface Tried {
  isReached: boolean;
  /** No address was found, so nothing was tried. */
  isUnknown: boolean;
  text: string;
}

async function tryReceiver(domain: string, ask: Ask, port: number): Promise<Tried> {
  const exchanges = (await ask(domain, 'MX')) as { exchange: string; priority: number }[] | null;
  const first = exchanges?.toSorted((one, other) => one.priority - other.priority)[0]?.exchange;
  const addresses = first === undefined ? null : await readAddresses(ask, first);
  const [address] = addresses ?? [];
  if (address === undefined)
    return { isReached: false, isUnknown: true, text: `the MX of ${domain} was not found` };
  try {
    const { text } = await readGreeting({ host: address, port, timeMs: connectMs });
    return { isReached: true, isUnknown: false, text: `port ${port} of others can be reached: ${text}` };
  } catch (error) {
    const reason = `${first} (${address}), port ${port}: ${findReason(error)}`;
    return { isReached: false, isUnknown: false, text: reason };
  }
}

function findReason(error: unknown): string {
  const reasons: Record<string, string> = {
    ECONNREFUSED: 'the connection was refused',
    ETIMEDOUT: `no answer within ${connectMs / 1_000} s`,
    ENETUNREACH: 'there is no route to its network',
    EHOSTUNREACH: 'there is no route to it',
  };
  return reasons[codeOf(error)] ?? sayError(error);
}

const timeMs = 5_000;

/** Checks the certificate that the running server presents on its SMTP port: whether it is that of the file, and valid for its name. */
export async function examineStartTls({
  smtp: { host, port, hostname },
  tls: { files },
}: Pick<Config, 'smtp'> & { tls: Pick<TlsSettings, 'files'> }): Promise<Finding[]> {
  if (!port) return [];
  const place = { host: host.replace(/^0\.0\.0\.0$|^::$/, 'localhost'), port, timeMs };
  const presented = await readPresented(place, hostname);
  if (!presented) return [problem('starttls', `The server at ${host}:${port} does not offer STARTTLS.`)];
  if (files) {
    const { cert } = await readCertificate(files);
    if (new X509Certificate(cert).fingerprint256 !== presented.fingerprint)
      return [
        problem(
          'starttls',
          `The server presents a certificate that differs from ${files.certFile}, valid until ${presented.validTo}.`,
          'It reads a new file within 10 s. If this persists, look at its log, or restart it.',
        ),
      ];
  }
  return [judge(presented, hostname)];
}

function judge({ error, validTo, isSelfSigned }: PresentedCertificate, hostname: string): Finding {
  const remedy = `Set ${settingNames.tlsCert} and ${settingNames.tlsKey} to a certificate for ${hostname}, with its chain.`;
  if (error === null) return ok('starttls', `the certificate is valid for ${hostname} until ${validTo}`);
  if (error === 'CERT_HAS_EXPIRED')
    return problem('starttls', `The certificate expired at ${validTo}.`, remedy);
  if (isSelfSigned)
    return note(
      'starttls',
      'The certificate is self-signed: mail arrives encrypted, except from senders that insist on a valid certificate.',
      remedy,
    );
  const reason =
    error === 'ERR_TLS_CERT_ALTNAME_INVALID'
      ? `it is not valid for ${hostname}`
      : `its chain is not complete or not trusted (${error})`;
  return note('starttls', `Senders that insist on a valid certificate refuse this one: ${reason}.`, remedy);
}
