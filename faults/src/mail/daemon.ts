import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import type { Host } from './scene.ts';

/** A program of the system that runs until it is stopped. */
export interface Daemon {
  stop(): Promise<void>;
}

const outputLengthMax = 4_000;
const readyMsMax = 20_000;

/** Runs a command to its end and returns its output. Rejects with its error output if it fails. */
export async function runCommand(command: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { timeout: 30_000 });
  return stdout;
}

/** Starts a program that stays in the foreground. Resolves once it listens, and rejects with its output if it does not. */
export async function startDaemon(
  command: string,
  args: string[],
  listensOn: { address: string; port: number },
): Promise<Daemon> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output = `${output}${text}`.slice(-outputLengthMax);
    });
  try {
    await eventually(
      `${command} to listen`,
      async () => {
        if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}.`);
        return isListening(listensOn);
      },
      { withinMs: readyMsMax },
    );
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${(error as Error).message}\n${output}`);
  }
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function isListening({ address, port }: { address: Host['address']; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
