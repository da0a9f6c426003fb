/* Examines the parts of an installation that can be seen without its server: folders, disks, certificate and ports. */
import { X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { databaseSettings } from '../../db/database.ts';
import { readDiskFolder } from '../../files/create-files.ts';
import { watchDiskSpace } from '../../files/disk-space.ts';
import { requireFreePort } from '../../lib/start/listen.ts';
import { portProblem, sayError, settingNames } from '../../lib/start/start-error.ts';
import { readCertificate } from '../../tls/read-certificate.ts';
import { examine, type Finding, note, ok, problem } from './finding.ts';

const mib = 1_048_576;
const day = 86_400_000;
const expiresSoonDays = 14;

/** Examines the machine. Ports must accept connections if the server runs, and be free otherwise. */
export async function examineMachine(config: Config, isRunning: boolean): Promise<Finding[]> {
  return [
    ...examineFolder(config),
    ...(await examine(
      'disk',
      () => examineDisk(config),
      `Check ${settingNames.dataDir} and ${settingNames.files}.`,
    )),
    ...(await examine('certificate', () => examineCertificate(config))),
    ...(await examinePorts(config, isRunning)),
  ];
}

function examineFolder({ dataDir, databaseUrl }: Config): Finding[] {
  const part = 'folder';
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (!found) return [note(part, `${dataDir} does not exist yet; the first start creates it.`)];
  const other = `Set ${settingNames.dataDir} to the folder of your server.`;
  if (!found.isDirectory()) return [problem(part, `${dataDir} is a file.`, other)];
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const remedy = 'Give it to the user that runs the server.';
    return [problem(part, `This user cannot read and write ${dataDir}: ${sayError(error)}.`, remedy)];
  }
  if ((found.mode & 0o077) !== 0)
    return [note(part, `${dataDir} can be read by other users; the next start restricts it to its owner.`)];
  const isNew = databaseUrl === null && !existsSync(join(dataDir, 'postgres', 'data', 'PG_VERSION'));
  return [
    isNew ? note(part, `${dataDir} has no database yet; the first start creates it.`) : ok(part, dataDir),
  ];
}

async function examineDisk(config: Config): Promise<Finding[]> {
  const database = databaseSettings(config);
  const filesFolder = readDiskFolder(config.files);
  const folders = {
    ...(filesFolder !== null && { files: filesFolder }),
    ...('dataDir' in database && { database: database.dataDir }),
  };
  const disk = await watchDiskSpace({ folders, reserveBytes: config.diskReserveBytes });
  const free = [...disk.freeBytes()].map(([name, bytes]) => `${Math.floor(bytes / mib)} MB for ${name}`);
  const isShort = disk.isShort;
  disk.close();
  if (free.length === 0) return [ok('disk', 'nothing is stored on the disks of this machine')];
  const text = `${free.join(', ')} free`;
  return [
    isShort
      ? problem(
          'disk',
          `${text}: incoming mail is deferred.`,
          `Free some space, or lower ${settingNames.diskReserve}.`,
        )
      : ok('disk', text),
  ];
}

async function examineCertificate({
  tls: { files, httpsPort },
  smtp,
  publicUrl,
}: Config): Promise<Finding[]> {
  if (files === null || (smtp.port === null && httpsPort === null)) return [];
  const part = 'certificate';
  const certificate = new X509Certificate((await readCertificate(files)).cert);
  const daysLeft = Math.floor((Date.parse(certificate.validTo) - Date.now()) / day);
  const text = `${files.certFile} is valid until ${certificate.validTo}`;
  if (daysLeft < expiresSoonDays)
    return [problem(part, `${text}.`, 'Renew it. The server reads the new file automatically.')];
  const names = [
    ...(smtp.port === null ? [] : [smtp.hostname]),
    ...(httpsPort === null || publicUrl === null ? [] : [new URL(publicUrl).hostname]),
  ];
  const missing = names.filter((name) => !certificate.checkHost(name));
  return missing.length > 0
    ? [note(part, `${text}, and is not for ${missing.join(' and ')}.`)]
    : [ok(part, text)];
}

async function examinePorts({ http, tls, smtp }: Config, isRunning: boolean): Promise<Finding[]> {
  const places = [
    { part: 'http', ...http, hostVariable: settingNames.httpHost, portVariable: settingNames.httpPort },
    {
      part: 'https',
      host: http.host,
      port: tls.httpsPort,
      hostVariable: settingNames.httpHost,
      portVariable: settingNames.httpsPort,
    },
    { part: 'smtp', ...smtp, hostVariable: settingNames.smtpHost, portVariable: settingNames.smtpPort },
  ];
  const found = places.map(async ({ part, host, port, ...names }): Promise<Finding[]> => {
    if (port === null) return [ok(part, 'off')];
    if (port === 0) return [ok(part, `a free port of ${host}`)];
    if (isRunning) return [await answers(part, host, port)];
    return examine(part, async () => {
      await requireFreePort({ host, port }).catch((error: unknown) => {
        throw portProblem({ host, port, ...names }, error);
      });
      return [ok(part, `${host}:${port} is free`)];
    });
  });
  return (await Promise.all(found)).flat();
}

const connectMs = 3_000;

/** Checks that a port accepts connections. If the host stands for all addresses, it connects to this machine's. */
function answers(part: string, host: string, port: number): Promise<Finding> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: host.replace(/^0\.0\.0\.0$|^::$/, 'localhost') });
    const end = (finding: Finding) => {
      socket.destroy();
      resolve(finding);
    };
    const remedy =
      'If another process has this role, everything is in order. Otherwise, look at the log of the server.';
    const failed = () => end(problem(part, `Nothing responds at ${host}:${port}.`, remedy));
    socket.setTimeout(connectMs, failed);
    socket.once('error', failed).once('connect', () => end(ok(part, `answers at ${host}:${port}`)));
  });
}
