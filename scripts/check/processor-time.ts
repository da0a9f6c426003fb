import { createHash } from 'node:crypto';

/**
 * Tells the times of everything that a command started and waited for, at file descriptor 3, and ends with the command's own exit code. The
 * command does not get the descriptor, so a process that outlives it keeps nobody waiting.
 */
const script = '"$@" 3>&-; code=$?; times >&3; exit $code';

const unitRounds = 1_000;
const unitTries = 3;

/** Returns a command, as a program and its arguments, that tells its times at file descriptor 3 once it has ended. */
export function withTimes(program: string, args: string[]): [string, string[]] {
  return ['sh', ['-c', script, 'sh', program, ...args]];
}

/**
 * Returns the processor seconds in the output of the shell's `times`: those of the command and all processes below it that somebody waited
 * for. Returns null if the command was killed before the shell could tell them.
 */
export function readTimes(output: string): number | null {
  // The first line is the shell's own.
  const line = output.trim().split('\n')[1] ?? '';
  const times = [...line.matchAll(/(\d+)m(\d+(?:[.,]\d+)?)s/g)];
  if (times.length !== 2) return null;
  return times.reduce(
    (sum, [, minutes, seconds = '']) => sum + Number(minutes) * 60 + Number(seconds.replace(',', '.')),
    0,
  );
}

/**
 * Returns the processor seconds that this machine needs for a fixed calculation of the kind that tests do. Processor seconds that are
 * divided by it can be compared between machines, and between busy and idle hours of one.
 */
export function measureUnit(): number {
  const tries = Array.from({ length: unitTries }, () => {
    const before = process.cpuUsage();
    calculate();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000_000;
  });
  // The first one includes the compiler's work, and another may have been disturbed.
  return Math.min(...tries);
}

function calculate(): string {
  const words = Array.from({ length: 400 }, (_, index) => `word${index} <a${index}@example.com>`).join(', ');
  let text = words;
  for (let round = 0; round < unitRounds; round++) {
    const found = [...text.matchAll(/<([a-z]\d+)@([a-z.]+)>/g)].map(([, name, host]) => ({ name, host }));
    const hash = createHash('sha256').update(JSON.stringify(found)).digest('hex');
    text = `${hash} ${JSON.parse(JSON.stringify(words))}`;
  }
  return text;
}
