/* A Postfix of its own: configuration, queue and log are in the folder of the scene, and no other Postfix on the machine is touched. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { type Daemon, runCommand, startDaemon } from './daemon.ts';
import type { MailFilters } from './mail-filters.ts';
import { headerValues } from './read-headers.ts';
import { hosts, mailboxes, sizeMax, zones } from './scene.ts';

/** A running Postfix. */
export interface Postfix extends Daemon {
  /** Submits a mail as a user of the machine does. */
  submit(from: string, to: string, raw: string): Promise<void>;
  /** Returns the mail in the reader's mailbox with this Message-ID, once it is there. */
  received(messageId: string): Promise<string>;
  log(): Promise<string>;
}

const mailPort = 25;
/** The port of the system that mail to the moved mailbox is passed on to. It knows no mailbox. */
const nextPort = 2526;
const mailOwner = 65_534;
const arriveMsMax = 30_000;

/** Starts Postfix for the mailboxes of the scene. Mail arrives at it through the filters. */
export async function startPostfix(folder: string, filters: MailFilters): Promise<Postfix> {
  const config = join(folder, 'postfix');
  const mail = join(folder, 'mail');
  const logFile = join(folder, 'postfix.log');
  for (const path of [config, mail, join(folder, 'queue')]) await mkdir(path);
  await mkdir(join(folder, 'data'));
  await chown(join(folder, 'data'), ...(await findAccount('postfix')));
  await chown(mail, mailOwner, mailOwner);
  await writeFile(join(config, 'tls.pem'), await makeCertificate(), { mode: 0o600 });
  const main = mainConfig({ folder, config, mail, logFile, filters });
  await writeFile(join(config, 'main.cf'), `${main.join('\n')}\n`);
  await writeFile(join(config, 'master.cf'), `${masterConfig(filters).join('\n')}\n`);
  const readLog = () => readFile(logFile, 'utf8').catch(() => '');
  // Creates the folders of the queue, with their owners.
  await runCommand('postfix', ['-c', config, 'check']);
  const master = join(
    (await runCommand('postconf', ['-c', config, '-h', 'daemon_directory'])).trim(),
    'master',
  );
  const daemon = await startDaemon(master, ['-c', config, '-d'], {
    address: hosts.postfix.address,
    port: mailPort,
  }).catch(async (error) => {
    throw new Error(`${error}\n${await readLog()}`);
  });
  const reader = join(mail, 'reader', 'new');
  return {
    ...daemon,
    log: readLog,
    submit: (from, to, raw) => runSendmail(config, from, to, raw),
    received: (subject) =>
      eventually(`mail "${subject}"`, () => findMail(reader, subject), {
        withinMs: arriveMsMax,
        pauseMs: 100,
      }),
  };
}

/** Returns a new private key and a certificate that it signed itself, as PEM. */
function makeCertificate(): Promise<string> {
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-days', '2'];
  const subject = ['-subj', `/CN=${hosts.postfix.name}`];
  return runCommand('openssl', ['req', ...kind, ...subject, '-keyout', '-', '-out', '-']);
}

async function findAccount(name: string): Promise<[number, number]> {
  const [user, group] = await Promise.all(['-u', '-g'].map((flag) => runCommand('id', [flag, name])));
  return [Number(user), Number(group)];
}

async function runSendmail(config: string, from: string, to: string, raw: string): Promise<void> {
  const child = spawn('/usr/sbin/sendmail', ['-C', config, '-i', '-f', from, to], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  child.stdin.end(raw);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`sendmail failed: ${errors}`);
}

async function findMail(folder: string, messageId: string): Promise<string | null> {
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return mails.find((mail) => headerValues(mail, 'message-id')[0] === messageId) ?? null;
}

interface Places {
  folder: string;
  config: string;
  mail: string;
  logFile: string;
  filters: MailFilters;
}

function mainConfig({ folder, config, mail, logFile, filters }: Places): string[] {
  const { reader, moved } = mailboxes;
  return [
    'compatibility_level = 3.6',
    `queue_directory = ${folder}/queue`,
    `data_directory = ${folder}/data`,
    `maillog_file = ${logFile}`,
    `maillog_file_prefixes = ${folder}`,
    `myhostname = ${hosts.postfix.name}`,
    `myorigin = ${zones.receiver}`,
    'mydestination =',
    'mynetworks = 127.0.0.0/8',
    `inet_interfaces = ${hosts.postfix.address}`,
    'inet_protocols = ipv4',
    'alias_maps =',
    `virtual_mailbox_domains = ${zones.receiver}`,
    `virtual_mailbox_maps = inline:{${reader}=reader/,${moved}=moved/}`,
    `virtual_mailbox_base = ${mail}`,
    `virtual_uid_maps = static:${mailOwner}`,
    `virtual_gid_maps = static:${mailOwner}`,
    `transport_maps = inline:{{${moved} = smtp:[127.0.0.1]:${nextPort}}}`,
    'smtpd_recipient_restrictions = reject_unauth_destination, check_policy_service unix:private/spf',
    `smtpd_milters = ${filters.dkim}, ${filters.dmarc}`,
    `non_smtpd_milters = ${filters.dkim}`,
    'milter_default_action = tempfail',
    `message_size_limit = ${sizeMax}`,
    'smtpd_tls_security_level = may',
    `smtpd_tls_chain_files = ${config}/tls.pem`,
    'smtpd_tls_received_header = yes',
    'smtp_tls_security_level = may',
    'smtp_tls_loglevel = 1',
    'queue_run_delay = 5s',
    'minimal_backoff_time = 5s',
  ];
}

function masterConfig({ spfConfig }: MailFilters): string[] {
  return [
    `${hosts.postfix.address}:${mailPort} inet n - n - - smtpd`,
    `127.0.0.1:${nextPort} inet n - n - - smtpd`,
    `  -o virtual_mailbox_maps=inline:{postmaster@${zones.receiver}=postmaster/}`,
    '  -o smtpd_milters=',
    '  -o smtpd_recipient_restrictions=reject_unlisted_recipient,reject',
    'spf unix - n n - 0 spawn',
    `  user=policyd-spf argv=/usr/bin/policyd-spf ${spfConfig}`,
    'pickup unix n - n 5 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 5 1 qmgr',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'verify unix - - n - 1 verify',
    'proxymap unix - - n - - proxymap',
    'smtp unix - - n - - smtp',
    'virtual unix - n n - - virtual',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'postlog unix-dgram n - n - 1 postlogd',
  ];
}
