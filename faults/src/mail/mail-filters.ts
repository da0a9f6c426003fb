/* The programs that check mail which comes to the Postfix: OpenDKIM, OpenDMARC, and policyd-spf, which Postfix starts itself. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Daemon, startDaemon } from './daemon.ts';
import { hosts, receiverSelector, zones } from './scene.ts';

const dkimPort = 8891;
const dmarcPort = 8893;

/** Running filters, as Postfix wants to know them. */
export interface MailFilters extends Daemon {
  /** Sign what is sent from this machine, and check signatures of the rest. */
  dkim: string;
  dmarc: string;
  /** The configuration of policyd-spf. */
  spfConfig: string;
  /** The record to publish for the key that OpenDKIM signs with. */
  dkimRecord: string;
}

/** Starts the filters. They add their results to the mail, and refuse nothing. */
export async function startMailFilters(folder: string): Promise<MailFilters> {
  const place = join(folder, 'filters');
  await mkdir(place);
  const { privateKey, publicKey } = makeKey();
  const keyFile = join(place, 'receiver.pem');
  await writeFile(keyFile, privateKey, { mode: 0o600 });
  const unboundFile = join(place, 'unbound.conf');
  // The resolver in OpenDKIM does not ask name servers on loopback otherwise.
  await writeFile(unboundFile, 'server:\n  do-not-query-localhost: no\n');
  const files = {
    dkim: dkimConfig(keyFile, unboundFile),
    dmarc: dmarcConfig(place),
    spf: spfConfig,
  };
  const configPath = (name: string) => join(place, `${name}.conf`);
  for (const [name, lines] of Object.entries(files))
    await writeFile(configPath(name), `${lines.join('\n')}\n`);
  const daemons = [
    await startDaemon('/usr/sbin/opendkim', ['-f', '-x', configPath('dkim')], onPort(dkimPort)),
    await startDaemon('/usr/sbin/opendmarc', ['-f', '-c', configPath('dmarc')], onPort(dmarcPort)),
  ];
  return {
    dkim: `inet:127.0.0.1:${dkimPort}`,
    dmarc: `inet:127.0.0.1:${dmarcPort}`,
    spfConfig: configPath('spf'),
    dkimRecord: makeDkimRecord(publicKey),
    stop: async () => {
      for (const daemon of daemons) await daemon.stop();
    },
  };
}

/** Returns the record of a key that nothing is signed with. */
export function makeOtherDkimRecord(): string {
  return makeDkimRecord(makeKey().publicKey);
}

function makeKey() {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

function makeDkimRecord(publicKey: Buffer): string {
  return `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`;
}

function onPort(port: number) {
  return { address: '127.0.0.1', port };
}

function dkimConfig(keyFile: string, unboundFile: string): string[] {
  return [
    'Mode sv',
    'Syslog no',
    `Socket inet:${dkimPort}@127.0.0.1`,
    `Domain ${zones.receiver}`,
    `Selector ${receiverSelector}`,
    `KeyFile ${keyFile}`,
    // The folder for temporary files is above it, and is open to everybody.
    'RequireSafeKeys no',
    'InternalHosts 127.0.0.1',
    'Canonicalization relaxed/simple',
    `AuthservID ${hosts.postfix.name}`,
    'AlwaysAddARHeader yes',
    'Nameservers 127.0.0.1',
    `ResolverConfiguration ${unboundFile}`,
  ];
}

function dmarcConfig(place: string): string[] {
  return [
    'Syslog false',
    `Socket inet:${dmarcPort}@127.0.0.1`,
    `AuthservID ${hosts.postfix.name}`,
    `TrustedAuthservIDs ${hosts.postfix.name}`,
    'RejectFailures false',
    'SPFSelfValidate false',
    'PublicSuffixList /usr/share/publicsuffix/public_suffix_list.dat',
    `HistoryFile ${join(place, 'dmarc.dat')}`,
  ];
}

const spfConfig = [
  'debugLevel = 1',
  'HELO_reject = False',
  'Mail_From_reject = False',
  'Header_Type = AR',
  `Authserv_Id = ${hosts.postfix.name}`,
];
