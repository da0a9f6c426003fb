import { createOutward } from '../../boot/outward-transport.ts';
import type { Config } from '../../config/config.ts';
import type { Deps } from '../../deps.ts';
import { openDns } from '../../dns/ask-resolver.ts';
import { createFiles } from '../../files/create-files.ts';
import { settingNames } from '../../lib/start/start-error.ts';
import { examineDatabase } from './examine-database.ts';
import { examine, type Finding, ok, problem } from './finding.ts';

const publicUrlMs = 5_000;

const transportSettings: Record<string, string> = { ses: settingNames.sesRegion, direct: settingNames.dns };

/** Examines a server from within, all parts at once. Only the server itself can reach its own database. */
export async function examineServer(deps: Deps): Promise<Finding[]> {
  const found = await Promise.all([
    examine('database', () => examineDatabase(deps.database, deps.config)),
    examineFiles(deps.files),
    examineTransport(deps.transport),
    examine('links', () => examineLinks(deps)),
  ]);
  return [
    ok('server', `runs as process ${process.pid}, API at ${deps.address.publicUrl}/v1`),
    ...found.flat(),
  ];
}

/** Examines the store of files and the transport of outbound mail, without a server. */
export async function examineServices(config: Config): Promise<Finding[]> {
  const files = createFiles({ location: config.files, s3Endpoint: config.s3Endpoint });
  const found = config.files.startsWith('s3:') ? await examineFiles(files) : [];
  await files.close();
  const transport = createOutward(config, await openDns(config.dnsServer));
  if (transport === null) return [...found, ok('transport', 'sandbox: nothing leaves this server')];
  const checked = await examineTransport(transport);
  await transport.close(0);
  return [...found, ...checked];
}

function examineFiles(files: Deps['files']): Promise<Finding[]> {
  return examine(
    'files',
    async () => {
      await files.check();
      return [ok('files', 'can be stored')];
    },
    `Check ${settingNames.files} and the rights to write there.`,
  );
}

function examineTransport(transport: Deps['transport']): Promise<Finding[]> {
  return examine('transport', async () => {
    const { ok: isReady, detail } = await transport.check();
    const text = `${transport.name}: ${detail}`;
    const setting = transportSettings[transport.name] ?? settingNames.smtpRelay;
    const remedy = `Check ${setting}; mail waits for up to 48 hours (5 days with direct) and is then sent automatically.`;
    return [isReady ? ok('transport', text) : problem('transport', text, remedy)];
  });
}

/** Examines the public URL, which links to files and the start box use, and which may lead through a proxy. */
async function examineLinks({ config, address }: Deps): Promise<Finding[]> {
  const { publicUrl } = address;
  if (config.publicUrl === null) return [];
  const remedy = `Check ${settingNames.publicUrl} and the proxy in front of the server.`;
  try {
    const response = await fetch(`${publicUrl}/livez`, { signal: AbortSignal.timeout(publicUrlMs) });
    if (response.ok) return [ok('links', `${publicUrl} leads here`)];
    return [problem('links', `${publicUrl}/livez answers ${response.status}.`, remedy)];
  } catch {
    return [problem('links', `${publicUrl} cannot be reached from this machine.`, remedy)];
  }
}
