import type { WriteStream } from 'node:tty';
import { stripVTControlCharacters, styleText } from 'node:util';
import type { Finding } from './finding.ts';

/** How findings are shown: with colours, and in lines of at most `columns` characters (null: lines of any length). */
interface Rendering {
  hasColors: boolean;
  columns: number | null;
}

const colors = { ok: 'green', note: 'yellow', problem: 'red' } as const;
const partGap = 2;
const stateWidth = 9;
const textWidthMin = 40;

/** Returns the findings as a table: state, part and text, and the remedy below each text. The last line is the number of problems. */
export function renderFindings(findings: Finding[], { hasColors, columns }: Rendering): string {
  const partWidth = Math.max(...findings.map(({ part }) => part.length), 0) + partGap;
  const indent = stateWidth + partWidth;
  const width = columns === null ? Number.POSITIVE_INFINITY : Math.max(columns - indent, textWidthMin);
  const paint = (state: Finding['state'], text: string) =>
    hasColors ? styleText(colors[state], text, { validateStream: false }) : text;
  const lines = findings.flatMap(({ part, state, text, remedy }) => {
    const [first = '', ...rest] = wrap(plain(text), width);
    const below =
      remedy === undefined ? [] : `→ ${remedy}`.split('\n').flatMap((line) => wrap(plain(line), width));
    return [
      paint(state, state.padEnd(stateWidth)) + part.padEnd(partWidth) + first,
      ...[...rest, ...below].map((line) => ' '.repeat(indent) + line),
    ];
  });
  return [...lines, '', countFindings(findings)].join('\n');
}

/** Returns the findings as JSON: `{ok, findings: [{part, state, text, remedy}]}`. */
export function renderJson(findings: Finding[]): string {
  return JSON.stringify(
    {
      ok: countProblems(findings) === 0,
      findings: findings.map(({ part, state, text, remedy = null }) => ({ part, state, text, remedy })),
    },
    null,
    2,
  );
}

/** Returns the number of problems. */
export function countProblems(findings: Finding[]): number {
  return findings.filter(({ state }) => state === 'problem').length;
}

function countFindings(findings: Finding[]): string {
  const count = countProblems(findings);
  return count === 0 ? 'No problems.' : `${count} ${count === 1 ? 'problem' : 'problems'}.`;
}

/** Returns a text without what could control a terminal: records of DNS and greetings of servers come from strangers. */
function plain(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}

/** Returns the lines of a text, broken between words. A longer word, such as a key, stays whole, so that it can be copied. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Shows which looks are still going on. */
export interface Progress {
  /** Returns the result of a check, which counts as running until then. */
  track<T>(name: string, look: Promise<T>): Promise<T>;
  /** Removes the line. */
  end(): void;
}

const clearLine = '\r\x1b[K';

/** Shows progress in one line of a terminal. Shows nothing if the stream is none, so that logs and pipes stay clean. */
export function showProgress(stream: Pick<WriteStream, 'isTTY' | 'write' | 'columns'>): Progress {
  const underway = new Set<string>();
  const write = (text: string) => {
    if (stream.isTTY) stream.write(text);
  };
  const show = () => {
    const text = `Examining ${[...underway].join(', ')} …`;
    write(underway.size === 0 ? clearLine : clearLine + text.slice(0, (stream.columns ?? 80) - 1));
  };
  return {
    track: async (name, look) => {
      underway.add(name);
      show();
      try {
        return await look;
      } finally {
        underway.delete(name);
        show();
      }
    },
    end: () => write(clearLine),
  };
}
