/* Installs the wheel of the Python client by pip, as a newcomer does, and receives a first mail with it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, startProgram } from './run.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const firstProgram = `from postrider import Postrider

client = Postrider()
alice = client.inboxes.create(local_part="alice")
bob = client.inboxes.create(local_part="bob")
client.messages.send(inbox_id=alice["id"], to=[bob["address"]], subject="Lunch?", text="Noodles at noon?")
mail = client.messages.wait_for(inbox_id=bob["id"], after=bob["created_at"])
print("received: " + mail["subject"])
`;

/** Checks the wheel. @throws Error that says what is wrong. */
export default async function checkPython(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-python-'));
  const server = await startServer(join(folder, 'server'));
  try {
    const { output } = await run(['node', join(root, 'scripts/pack-python.mjs'), folder]);
    const wheel = output.trim();
    const from = performance.now();
    await run(['python3', '-m', 'venv', join(folder, 'venv')]);
    const python = join(folder, 'venv/bin/python');
    const installed = await run([python, '-m', 'pip', 'install', '--disable-pip-version-check', wheel]);
    console.log(`  step 1, pip install: ${seconds(from)}, ${installed.output.trim().split('\n').at(-1)}`);
    await writeFile(join(folder, 'first.py'), firstProgram);
    const env = { ...process.env, POSTRIDER_API_KEY: server.key, POSTRIDER_BASE_URL: `${server.url}/v1` };
    const ran = await run([python, 'first.py'], { cwd: folder, env });
    if (!ran.output.includes('received: Lunch?')) throw new Error(ran.output);
    const { output: version } = await run([python, '--version']);
    console.log(`  step 2, first.py: mail received ${seconds(from)} after nothing, on ${version.trim()}`);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function startServer(folder: string) {
  await mkdir(folder);
  const env = {
    ...process.env,
    POSTRIDER_HTTP_PORT: '0',
    POSTRIDER_SMTP_PORT: '0',
    POSTRIDER_DATA_DIR: folder,
  };
  const server = startProgram(['node', join(root, 'server/src/main.ts'), 'start'], { cwd: folder, env });
  const [key] = await server.until(/pr_live_\w{43}/);
  const [, url = ''] = await server.until(/"url":"([^"]+)"/);
  return { key, url, stop: server.stop };
}

function seconds(fromMs: number): string {
  return `${((performance.now() - fromMs) / 1_000).toFixed(1)} s`;
}

if (import.meta.main) await checkPython();
