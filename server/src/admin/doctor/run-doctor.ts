import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError, readConfig } from '../../config/config.ts';
import { databaseSettings, openDatabase } from '../../db/database.ts';
import { withinTime } from '../../lib/concurrency/wait.ts';
import { callRunningServer } from '../call-server.ts';
import { examineDatabase } from './examine-database.ts';
import { examineMachine } from './examine-machine.ts';
import { examineEmbeddings } from './examine-search.ts';
import { examineServices } from './examine-server.ts';
import { examine, type Finding, note, ok, problem } from './finding.ts';
import { examineNetwork } from './network/examine-network.ts';
import { countProblems, type Progress, renderFindings, renderJson, showProgress } from './render-findings.ts';

/** The options of `doctor`. */
export interface DoctorOptions {
  json: boolean;
  blocklists: boolean;
}

/** Longer than the longest look within the server, which has its own limit. */
const serverMsMax = 20_000;
const pingMs = 3_000;

/** Examines the installation, prints the findings and returns the exit code, which is 1 if there is a problem. It takes at most 30 s. */
export async function runDoctor({ json, blocklists }: DoctorOptions): Promise<number> {
  const { stdout, stderr } = process;
  const progress = showProgress(stderr);
  const findings = await examineAll(blocklists, progress);
  progress.end();
  const isTerminal = stdout.isTTY === true;
  const rendering = {
    hasColors: isTerminal && stdout.hasColors(),
    columns: isTerminal ? stdout.columns : null,
  };
  const text = json ? renderJson(findings) : renderFindings(findings, rendering);
  await new Promise((resolve) => stdout.write(`${text}\n`, resolve));
  return countProblems(findings) === 0 ? 0 : 1;
}

async function examineAll(blocklists: boolean, progress: Progress): Promise<Finding[]> {
  const read = readSettings();
  if ('problems' in read) return read.problems;
  const { config } = read;
  const isRunning = await answersHere(config);
  const looks = [
    progress.track('machine', examineMachine(config, isRunning)),
    examine('embeddings', () => examineEmbeddings(config)),
    progress.track('server', isRunning ? askServer(config) : examineAlone(config)),
    examine(
      'network',
      () => examineNetwork(config, { isRunning, blocklists, progress }),
      undefined,
      serverMsMax,
    ),
  ];
  return [...examineSettings(config), ...(await Promise.all(looks)).flat()];
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

/** Returns whether a server has the socket of the data folder. A server that does not respond counts as running. */
async function answersHere({ dataDir }: Config): Promise<boolean> {
  const asked = callRunningServer(dataDir, 'none', {}).then(
    (answer) => answer !== null,
    () => true,
  );
  return withinTime(asked, pingMs, true);
}

function askServer({ dataDir }: Config): Promise<Finding[]> {
  const ask = async () => {
    const answer = await callRunningServer(dataDir, 'doctor', {});
    return answer ? (answer.result as Finding[]) : [note('server', 'has stopped in the meantime')];
  };
  return examine('server', ask, 'Look at the log of the server.', serverMsMax);
}

/** Examines the installation without a server. The database is opened if it exists, but never created. */
async function examineAlone(config: Config): Promise<Finding[]> {
  const isThere =
    config.databaseUrl !== null || existsSync(join(config.dataDir, 'postgres', 'data', 'PG_VERSION'));
  const found = await Promise.all([
    isThere ? examine('database', () => openAndExamine(config), undefined, serverMsMax) : [],
    examine('transport', () => examineServices(config)),
  ]);
  return [note('server', 'does not run'), ...found.flat()];
}

async function openAndExamine(config: Config): Promise<Finding[]> {
  const database = await openDatabase(databaseSettings(config));
  try {
    return await examineDatabase(database, config);
  } finally {
    await database.close();
  }
}
