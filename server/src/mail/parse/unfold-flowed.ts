/** A line of format=flowed: the depth of its quotation, and its text without the quote marks and the space that was stuffed before it. */
interface FlowedLine {
  depth: number;
  text: string;
}

/**
 * Returns text of format=flowed with each paragraph on one line (RFC 3676, sections 4.1 to 4.5). Lines of different depth are never joined,
 * and the delimiter of a signature is never joined to anything. With `delSp`, the space before a soft line break was added and is removed.
 */
export function unfoldFlowed(content: string, delSp: boolean): string {
  const lines: string[] = [];
  let depth = 0;
  let pieces: string[] = [];
  const finish = () => {
    if (pieces.length > 0) lines.push(write({ depth, text: pieces.join('') }));
    pieces = [];
  };
  for (const raw of content.split('\n')) {
    const line = readLine(raw);
    const isDelimiter = line.text === '-- ';
    if (line.depth !== depth || isDelimiter) finish();
    depth = line.depth;
    const isSoft = line.text.endsWith(' ') && !isDelimiter;
    pieces.push(isSoft && delSp ? line.text.slice(0, -1) : line.text);
    if (!isSoft) finish();
  }
  finish();
  return lines.join('\n');
}

function readLine(line: string): FlowedLine {
  let depth = 0;
  while (line[depth] === '>') depth += 1;
  const rest = line.slice(depth);
  return { depth, text: rest.startsWith(' ') ? rest.slice(1) : rest };
}

function write({ depth, text }: FlowedLine): string {
  if (depth > 0) return `${'>'.repeat(depth)} ${text}`.trimEnd();
  return text === '-- ' ? text : text.trimEnd();
}
