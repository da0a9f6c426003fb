import { sql } from 'kysely';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../db/database.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import { openDns } from '../../dns/ask-resolver.ts';
import { openZoneClient } from '../../dns/ask-zone.ts';
import { createTimeScale, systemClock } from '../../lib/clock.ts';
import { openSecret } from '../../workspaces/open-secret.ts';
import { examineCertificates } from './examine-certificates.ts';
import { examineDomains } from './examine-domains.ts';
import { examineDatabaseSettings, examineOwnDatabase } from './examine-postgres.ts';
import { examineSearch } from './examine-search.ts';
import { examineSes, identitiesMax } from './examine-ses.ts';
import { examine, type Finding, note, ok, problem } from './finding.ts';
import { isReserved } from './network/examine-dns.ts';
import { examineDkim } from './network/examine-sender.ts';

function whole(db: Database['db']) {
  return acrossWorkspaces({ db }, 'an operator looks after all workspaces');
}

const clockStepMsMax = 10_000;
const acknowledgedMsMax = 60_000;

/**
 * Examines an open database: schema, settings, secret, clock, waiting mail, and whether DNS matches the stored domains. It changes nothing.
 */
export async function examineDatabase(database: Database, config: Config): Promise<Finding[]> {
  const { rows } = await sql<{ version: string; now: Date }>`
    select current_setting('server_version') as version, clock_timestamp() as now`.execute(database.db);
  const [{ version, now } = { version: '', now: new Date() }] = rows;
  const { dataDir } = database;
  const found =
    dataDir === null ? [ok('database', `Postgres ${version}`)] : await examineOwnDatabase(database, dataDir);
  const pending = await database.orm.migrator.getPending();
  if (pending.length > 0)
    return [...found, note('schema', `${pending.length} migrations run at the next start.`)];
  const isTrial = isReserved(config.mailDomain);
  const examined = await Promise.all([
    dataDir !== null ? [] : examine('postgres', () => examineDatabaseSettings(database, { isTrial })),
    examine('secret', () => examineSecret(database, config)),
    examine('clock', () => examineClock(database, now)),
    examine('mail', () => examineWaitingMail(database)),
    examine('search', () => examineSearch(database)),
    examine('acme', () => examineCertificates(database, config)),
    examine('dkim', async () => examineDkim(database, config, await openDns(config.dnsServer))),
    examine('domains', () => examineAllDomains(database, config)),
    examine('ses', async () => examineSes(config, await sendingHostnames(database, config))),
  ]);
  return [...found, ok('schema', 'up to date'), ...examined.flat()];
}

async function examineAllDomains({ db }: Database, config: Config): Promise<Finding[]> {
  const askZone = await openZoneClient({ server: config.dnsServer, allowPrivate: false });
  return examineDomains({
    db,
    config,
    askZone,
    clock: systemClock,
    // A missing secret has its own finding.
    openKeys: () => openSecret({ db }, config).catch(() => null),
    timeScale: createTimeScale(config.timeScale),
  });
}

/** Returns the names that mail is sent from, the shared domain first. */
async function sendingHostnames({ db }: Database, { mailDomain, transport }: Config): Promise<string[]> {
  if (transport !== 'ses') return [];
  const rows = await whole(db)
    .selectFrom('domains')
    .select('hostname')
    .where('verified_at', 'is not', null)
    .orderBy('hostname')
    .limit(identitiesMax)
    .execute();
  return [...(isReserved(mailDomain) ? [] : [mailDomain]), ...rows.map(({ hostname }) => hostname)];
}

async function examineSecret(
  { db }: Database,
  config: Pick<Config, 'secret' | 'dataDir'>,
): Promise<Finding[]> {
  const noted = await whole(db).selectFrom('instance').select('secret_id').executeTakeFirst();
  // The first start records it.
  if (!noted) return [note('secret', 'the next start records it in the database')];
  await openSecret({ db }, config);
  return [ok('secret', 'matches the database')];
}

/** Examines the clock, which links, retries and ids depend on. Rows from the future show that it was set back. */
async function examineClock({ db }: Database, now: Date): Promise<Finding[]> {
  const remedy = 'Synchronise the clocks of the server and the database with NTP.';
  const apartMs = Math.abs(Date.now() - now.getTime());
  if (apartMs > clockStepMsMax)
    return [
      problem('clock', `It is ${Math.round(apartMs / 1_000)} s off the clock of the database.`, remedy),
    ];
  const latest = whole(db).selectFrom('events').select('created_at').orderBy('insertion', 'desc').limit(1);
  const newest = (await latest.executeTakeFirst())?.created_at ?? null;
  if (newest !== null && newest.getTime() - Date.now() > clockStepMsMax)
    return [
      problem(
        'clock',
        `It is behind the newest event, of ${newest.toISOString()}, so it was set back.`,
        remedy,
      ),
    ];
  return [ok('clock', new Date().toISOString())];
}

async function examineWaitingMail({ db }: Database): Promise<Finding[]> {
  const { count, oldest } = await whole(db)
    .selectFrom('spooled_mail')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<Date | null>('at').as('oldest')])
    .executeTakeFirstOrThrow();
  const text = count === 0 ? 'no mail is waiting to be filed' : `${count} emails are waiting to be filed`;
  const isLate = oldest !== null && Date.now() - oldest.getTime() > acknowledgedMsMax;
  return [
    isLate
      ? problem(
          'mail',
          `${text}, the oldest since ${oldest.toISOString()}.`,
          'Run a process with the role worker.',
        )
      : ok('mail', text),
  ];
}
