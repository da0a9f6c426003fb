/*
 * Writes down an invitation (RFC 5545, RFC 5546), for mail that has nothing else to read. Only its first event is read, and only as far
 * as a person would want to know: what, when, where, and from whom. The file itself stays an attachment.
 */
import { cleanText } from '../../lib/texts.ts';
import { decodeUnlabelled } from './decode-unlabelled.ts';

const bytesMax = 1_048_576;
const valueLengthMax = 500;
const descriptionLengthMax = 10_000;
const lineLengthMax = 20_000;

interface Property {
  name: string;
  parameters: Map<string, string>;
  value: string;
}

const titles: Record<string, string> = {
  REQUEST: 'Invitation',
  CANCEL: 'Cancelled',
  REPLY: 'Answer to an invitation',
  COUNTER: 'Another time is proposed',
};

/** Returns an invitation as text, or null if it has no event. */
export function invitationText(calendar: Buffer): string | null {
  const lines = unfoldLines(decodeUnlabelled(calendar.subarray(0, bytesMax)));
  const method =
    lines
      .find((line) => /^METHOD:/i.test(line))
      ?.slice('METHOD:'.length)
      .trim()
      .toUpperCase() ?? '';
  const event = readEvent(lines);
  if (event === null) return null;
  const written = [
    `${titles[method] ?? 'Event'}: ${unescapeText(event.get('SUMMARY'), valueLengthMax) || '(no title)'}`,
    ['When', sayTime(event)],
    ['Where', unescapeText(event.get('LOCATION'), valueLengthMax)],
    ['Organizer', sayPerson(event.get('ORGANIZER'))],
  ].flatMap((line) => (typeof line === 'string' ? [line] : line[1] ? [line.join(': ')] : []));
  const description = unescapeText(event.get('DESCRIPTION'), descriptionLengthMax);
  return [...written, ...(description === '' ? [] : ['', description])].join('\n');
}

/** A line that begins with white space continues the previous one (RFC 5545, section 3.1). */
function unfoldLines(text: string): string[] {
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  return lines.map((line) => line.slice(0, lineLengthMax));
}

/** Returns the properties of the first event, without those of its alarms. */
function readEvent(lines: string[]): Map<string, Property> | null {
  const event = new Map<string, Property>();
  let depth = 0;
  for (const line of lines) {
    const begins = /^BEGIN:/i.test(line);
    if (depth === 0 && !/^BEGIN:VEVENT\s*$/i.test(line)) continue;
    if (/^END:/i.test(line)) depth -= 1;
    else if (begins) depth += 1;
    else if (depth === 1) {
      const property = readProperty(line);
      if (property && !event.has(property.name)) event.set(property.name, property);
    }
    if (depth === 0) return event;
  }
  return event.size > 0 ? event : null;
}

const parameterPattern = /;([\w-]{1,60})=("[^"]{0,2000}"|[^;:"]{0,2000})/y;

function readProperty(line: string): Property | null {
  const name = /^[\w-]{1,60}(?=[;:])/.exec(line)?.[0];
  if (name === undefined) return null;
  const parameters = new Map<string, string>();
  let at = name.length;
  for (;;) {
    parameterPattern.lastIndex = at;
    const [whole, key, value] = parameterPattern.exec(line) ?? [];
    if (whole === undefined || key === undefined || value === undefined) break;
    parameters.set(key.toUpperCase(), value.replaceAll('"', ''));
    at += whole.length;
  }
  return line[at] === ':' ? { name: name.toUpperCase(), parameters, value: line.slice(at + 1) } : null;
}

function unescapeText(property: Property | undefined, lengthMax: number): string {
  const text = (property?.value ?? '').replace(/\\([nN,;\\])/g, (_, char: string) =>
    /n/i.test(char) ? '\n' : char,
  );
  return cleanText(text.slice(0, lengthMax)).trim();
}

function sayPerson(property: Property | undefined): string {
  if (!property) return '';
  const address = unescapeText(property, valueLengthMax).replace(/^mailto:/i, '');
  const name = cleanText(property.parameters.get('CN')?.slice(0, valueLengthMax) ?? '').trim();
  return name === '' || name === address ? address : `${name} <${address}>`;
}

function sayTime(event: Map<string, Property>): string {
  const start = event.get('DTSTART');
  if (!start) return '';
  const [from, to] = [readTime(start), readTime(event.get('DTEND'))];
  if (from === null) return '';
  const zone = from.zone === '' ? '' : ` (${from.zone})`;
  if (to === null) return `${from.day}${from.time}${zone}${sayLength(event.get('DURATION'))}`;
  const end = to.day === from.day ? to.time.trim() : `${to.day}${to.time}`;
  return `${from.day}${from.time}${end === '' ? '' : ` to ${end}`}${zone}`;
}

function sayLength(duration: Property | undefined): string {
  return duration ? `, for ${unescapeText(duration, 40)}` : '';
}

function readTime(property: Property | undefined) {
  const [, year, month, day, hours, minutes, utc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?/.exec(property?.value ?? '') ?? [];
  if (year === undefined) return null;
  const zone = utc ? 'UTC' : cleanText(property?.parameters.get('TZID')?.slice(0, 100) ?? '');
  return { day: `${year}-${month}-${day}`, time: hours === undefined ? '' : ` ${hours}:${minutes}`, zone };
}
