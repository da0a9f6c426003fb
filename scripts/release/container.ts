import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './run.ts';

/** This only catches a program that hangs. */
export const hangMs = 300_000;

/** Returns what a container has printed. */
export async function readLogs(id: string): Promise<string> {
  const { output, warnings } = await run(['podman', 'logs', id]);
  return `${output}\n${warnings}`;
}

/** Returns a name for the container that publishes a port of this machine. */
export function nameContainer(port: number): string {
  return `postrider-check-${port}`;
}

/** Waits until the server in a container is ready. @throws Error with the log of the container if it ends or hangs. */
export async function untilReady(id: string, url: string): Promise<void> {
  const from = performance.now();
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    const { output } = await run(['podman', 'inspect', '--format={{.State.Status}}', id]);
    const isUp = ['created', 'running'].includes(output.trim());
    if (!isUp || performance.now() - from > hangMs) throw new Error(await readLogs(id));
    await sleep(100);
  }
}

/** Removes a container, which need not be there. */
export async function removeContainer(id: string): Promise<void> {
  await run(['podman', 'rm', '--force', '--ignore', '--time=15', id]);
}
