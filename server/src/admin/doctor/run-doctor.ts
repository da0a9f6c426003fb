import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError, readConfig } from '../../config.ts';
import { databaseSettings, openDatabase } from '../../db/database.ts';
import { openDns } from '../../dns/resolve.ts';
import { settingNames } from '../../lib/start/setting-names.ts';
import { callRunningServer } from '../call-server.ts';
import { examineDatabase } from './examine-database.ts';
import { examineDns } from './examine-dns.ts';
import { examineMachine } from './examine-machine.ts';
import { examineServices } from './examine-server.ts';
import { examine, type Finding, note, ok, problem } from './finding.ts';

/** Examines the installation, prints the findings and returns the exit code, which is 1 if there is a problem. */
export async function runDoctor(): Promise<number> {
  const findings = await examineAll();
  console.log(findings.map(lineOf).join('\n'));
  const problems = findings.filter(({ state }) => state === 'problem').length;
  console.log(
    problems === 0 ? '\nNo problems.' : `\n${problems} ${problems === 1 ? 'problem' : 'problems'}.`,
  );
  return problems === 0 ? 0 : 1;
}

function lineOf({ part, state, text, remedy }: Finding): string {
  const line = `${state.padEnd(8)} ${part.padEnd(14)} ${text}`;
  return remedy === undefined ? line : `${line}\n${' '.repeat(24)}→ ${remedy}`;
}

async function examineAll(): Promise<Finding[]> {
  const read = readSettings();
  if ('problems' in read) return read.problems;
  const { config } = read;
  const asked = await examine('server', async () => (await askServer(config)) ?? []);
  const isRunning = asked.length > 0;
  return [
    ...examineSettings(config),
    ...(await examineMachine(config, isRunning)),
    ...(isRunning ? asked : [note('server', 'does not run'), ...(await examineAlone(config))]),
    ...(await examine(
      'dns',
      async () => examineDns(config, await openDns(config.dnsServer)),
      `Check ${settingNames.dns}.`,
    )),
  ];
}

function readSettings(): { config: Config } | { problems: Finding[] } {
  try {
    return { config: readConfig() };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy = 'Correct the environment or .env; .env.example lists every setting.';
    return { problems: error.problems.map((text) => problem('settings', text, remedy)) };
  }
}

function examineSettings({ unknownVariables }: Config): Finding[] {
  return [
    ok('settings', 'can be read'),
    ...unknownVariables.map((name) => note('settings', `${name} is unknown and has no effect`)),
  ];
}

async function askServer({ dataDir }: Config): Promise<Finding[] | null> {
  const answer = await callRunningServer(dataDir, 'doctor', {});
  return answer && (answer.result as Finding[]);
}

/** Examines the installation without a server. The database is opened if it exists, but never created. */
async function examineAlone(config: Config): Promise<Finding[]> {
  const isThere = config.databaseUrl !== null || existsSync(join(config.dataDir, 'database'));
  const found = isThere ? await examine('database', () => openAndExamine(config)) : [];
  return [...found, ...(await examineServices(config))];
}

async function openAndExamine(config: Config): Promise<Finding[]> {
  const database = await openDatabase(databaseSettings(config));
  try {
    return await examineDatabase(database, config);
  } finally {
    await database.close();
  }
}
