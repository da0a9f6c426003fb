/* Examines what other servers see of this one: records of DNS, port 25, the certificate, block lists. */
import type { Config } from '../../../config/config.ts';
import { openDns } from '../../../dns/ask-resolver.ts';
import { openZoneClient } from '../../../dns/ask-zone.ts';
import { settingNames } from '../../../lib/start/start-error.ts';
import { examine, type Finding, note, ok } from '../finding.ts';
import type { Progress } from '../render-findings.ts';
import { examineBlocklists, examineHostname } from './examine-addresses.ts';
import {
  askIn,
  examineDns,
  examineResolver,
  isReserved,
  readAddresses,
  readExchanges,
} from './examine-dns.ts';
import { examineSender } from './examine-sender.ts';
import { examineInbound, examineOutbound, examineStartTls } from './examine-smtp.ts';

/** The extent of the examination, and where its progress is shown. */
export interface NetworkOptions {
  isRunning: boolean;
  blocklists: boolean;
  progress: Progress;
}

interface Look {
  part: string;
  look: () => Promise<Finding[]>;
  remedy?: string;
}

const checkDns = `Check ${settingNames.dns}.`;

/** Examines the network around a server, all parts at once. A server for this machine only is not looked up in DNS. */
export async function examineNetwork(config: Config, options: NetworkOptions): Promise<Finding[]> {
  const { mailDomain } = config;
  const looks = isReserved(mailDomain) ? localLooks(mailDomain, options) : await publicLooks(config, options);
  const found = looks.map(({ part, look, remedy }) =>
    options.progress.track(part, examine(part, look, remedy)),
  );
  return (await Promise.all(found)).flat();
}

function localLooks(mailDomain: string, { blocklists }: NetworkOptions): Look[] {
  const text = `${mailDomain} exists only on this machine, so it gets no mail from outside`;
  const unlisted = note('blocklists', `not asked, because ${mailDomain} exists only on this machine`);
  return [{ part: 'dns', look: async () => [ok('dns', text), ...(blocklists ? [unlisted] : [])] }];
}

async function publicLooks(config: Config, { isRunning, blocklists }: NetworkOptions): Promise<Look[]> {
  const { smtp, dnsServer, transport, mailDomain } = config;
  const hostname = smtp.hostname.toLowerCase();
  const isSender = transport === 'direct';
  const resolve = await openDns(dnsServer);
  const askZone = await openZoneClient({ server: dnsServer, allowPrivate: false });
  const ask = askIn(resolve);
  const finding = readAddresses(ask, hostname);
  const known = async () => (await finding) ?? [];
  return [
    { part: 'dns', look: () => examineDns(config, ask), remedy: checkDns },
    ...(transport === 'sandbox'
      ? []
      : [
          {
            part: 'spf',
            look: async () => examineSender(config, { askZone, resolve, addresses: await known() }),
            remedy: checkDns,
          },
        ]),
    {
      part: 'hostname',
      look: async () => examineHostname(hostname, { isSender, addresses: await finding, ask }),
      remedy: checkDns,
    },
    { part: 'resolver', look: () => examineResolver(resolve), remedy: checkDns },
    ...(isRunning && smtp.port !== null
      ? [
          {
            part: 'inbound',
            look: async () => examineInbound(hostname, await known(), await readExchanges(mailDomain, ask)),
          },
        ]
      : []),
    ...(isRunning ? [{ part: 'starttls', look: () => examineStartTls(config) }] : []),
    ...(isSender ? [{ part: 'outbound', look: () => examineOutbound(ask, config.direct.port) }] : []),
    ...(blocklists ? [{ part: 'blocklists', look: async () => examineBlocklists(await known(), ask) }] : []),
  ];
}
