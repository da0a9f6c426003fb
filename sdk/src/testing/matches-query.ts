import type { Message } from '../generated/types.ts';

/**
 * Returns whether a message of the fake server has every word and quoted phrase of a query in its subject,
 * text or sender, and none with a minus. Operators such as `from:` leave nothing out.
 */
export function matchesQuery(message: Message, query: string): boolean {
  const { subject, body_text: text, from_addr: from, from_name: name } = message;
  const whole = [subject, text, from, name].join('\n').toLowerCase();
  const parts = query.toLowerCase().match(/-?"[^"]*"?|\S+/g) ?? [];
  return parts
    .filter((part) => !/^-?[a-z]+:/.test(part))
    .every((part) => {
      const not = part.startsWith('-') && part.length > 1;
      const words = part.replace(/^-(?=.)/, '').replaceAll('"', '');
      return whole.includes(words) !== not;
    });
}
