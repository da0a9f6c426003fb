/*
 * Reads the text of files in a separate process, one file at a time. A crafted PDF of a megabyte can take minutes and gigabytes, even
 * outside the heap, which is all that a thread can limit. Here it costs only one process and the text of one file. The process gets no
 * environment and no network, can read nothing but code, cannot write files or start programs, and is ended if a file takes too much
 * processor time or memory.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watchProcessor } from '../../lib/concurrency/work-thread.ts';
import { askReader, hasEnded, ReaderUnavailable, readUsage } from './ask-reader.ts';
import type { FileKind } from './file-kind.ts';
import { type FileText, fileLimits, withoutText } from './file-text.ts';

/** The limits for one file, and how long a process without a file is kept. */
export interface ReaderLimits {
  /** The processor time of the process. */
  processorMs: number;
  memoryMb: number;
  idleMs: number;
}

const defaultLimits: ReaderLimits = { processorMs: 10_000, memoryMb: 400, idleMs: 60_000 };
/** The limit of the heap alone, which the process itself enforces between two checks of its memory. */
const heapMb = 300;
/** A process that holds more after a file is replaced, so that each file has about the same memory. */
const restingMbMax = 200;

/** A reader of files. Its process starts with the first file, and again after it had to be ended. */
export class FileReader {
  readonly #limits: ReaderLimits;
  #child: ChildProcess | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(limits: Partial<ReaderLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** The id of the process that reads files; null if there is none at the moment. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /**
   * Returns the text of a file, or the reason why it has no text. `kind` is what the file claims to be.
   *
   * @throws ReaderUnavailable if the process does not start or the reader is closed, which says nothing about the file.
   */
  read(kind: FileKind, bytes: Buffer): Promise<FileText> {
    const read = this.#last.then(() => this.#read(kind, bytes));
    this.#last = read.catch(() => {});
    return read;
  }

  /** Ends the process. A file that is being read is given up. */
  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  async #read(kind: FileKind, bytes: Buffer): Promise<FileText> {
    if (bytes.length === 0) return withoutText('empty');
    if (bytes.length > fileLimits.bytesMax) return withoutText('too_large');
    clearTimeout(this.#idle);
    const child = this.#child ?? (await this.#start());
    const answer = await askReader(child, { kind, bytes }, this.#limits);
    if (this.#isClosed) throw new ReaderUnavailable('The reader of files was closed.');
    await this.#rest(child);
    return answer;
  }

  async #start(): Promise<ChildProcess> {
    if (this.#isClosed) throw new ReaderUnavailable('The reader of files was closed.');
    const child = fork(fileURLToPath(processUrl()), [String(2 * this.#limits.processorMs)], {
      execArgv: [...readerPermissions(), `--max-old-space-size=${heapMb}`, '--no-warnings'],
      env: {},
      cwd: parse(process.cwd()).root,
      stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    });
    this.#child = child;
    // An idle process does not keep the server alive, and neither does what leads to it. A file that is being read has a timer.
    for (const handle of [child, child.channel, child.stdin as Socket]) handle?.unref();
    child.on('error', () => this.#end());
    child.stdin?.on('error', () => {});
    child.once('exit', () => {
      if (this.#child === child) this.#child = null;
    });
    const ended = new AbortController();
    const read = async () => (await readUsage(child.pid ?? 0))?.processorMs ?? null;
    const limits = { fromMs: 0, limitMs: Number.POSITIVE_INFINITY };
    const endWatch = watchProcessor(read, limits, () => child.kill('SIGKILL'));
    child.once('exit', () => ended.abort());
    child.once('error', () => ended.abort());
    await once(child, 'message', { signal: ended.signal })
      .catch((cause: unknown) => {
        throw new ReaderUnavailable('The process that reads files did not start.', { cause });
      })
      .finally(endWatch);
    return child;
  }

  /** Keeps a process for the next file, unless it has too much memory or has been ended. */
  async #rest(child: ChildProcess): Promise<void> {
    if (hasEnded(child) || ((await readUsage(child.pid ?? 0))?.memoryMb ?? 0) > restingMbMax)
      return this.#end();
    this.#idle = setTimeout(() => this.#end(), this.#limits.idleMs).unref();
  }

  #end(): void {
    clearTimeout(this.#idle);
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }
}

const isSource = import.meta.url.endsWith('.ts');

/** The folder with all code of the program: `src`, or that of a build. */
const ownCode = isSource ? join(import.meta.dirname, '..', '..') : import.meta.dirname;

/**
 * Returns the flags of Node with which the process can read the code of the program, below `own`, and of its packages. It can read nothing
 * else: no mail, no secret, no other program. Threads are allowed for the one that watches it.
 */
export function readerPermissions(own: string = ownCode): string[] {
  const packages = packageFolders(own).flatMap((path) => [path, ...packageFolders(realpathSync(path))]);
  const readable = new Set([own, join(own, '..', 'package.json'), ...packages]);
  return [
    '--permission',
    ...[...readable].map((path) => `--allow-fs-read=${path}`),
    '--allow-worker',
    '--disallow-code-generation-from-strings',
  ];
}

/** Returns the folders in which Node looks for the packages that code in a folder imports. */
function packageFolders(folder: string): string[] {
  const paths = createRequire(join(folder, 'any.js')).resolve.paths('any') ?? [];
  return paths.filter((path) => existsSync(path));
}

/** Returns the URL of the program in this folder, which is TypeScript in the workspace and JavaScript in a build. */
function processUrl(): URL {
  return new URL(isSource ? './reader-process.ts' : './reader-process.js', import.meta.url);
}
