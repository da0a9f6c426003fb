const width = 1_280;
const height = 800;

const known: Record<string, (value: string) => boolean> = {
  'min-width': (value) => width >= pixels(value),
  'max-width': (value) => width <= pixels(value),
  'min-height': (value) => height >= pixels(value),
  'max-height': (value) => height <= pixels(value),
  'min-device-width': (value) => width >= pixels(value),
  'max-device-width': (value) => width <= pixels(value),
  'prefers-color-scheme': (value) => value === 'light',
  orientation: (value) => value === 'landscape',
  'prefers-reduced-motion': (value) => value === 'no-preference',
  hover: (value) => value !== 'none',
  pointer: (value) => value !== 'coarse',
};

/**
 * Returns whether `@media` or `@supports` with its condition counts on a desktop computer with a light background. An unknown feature does
 * not count, as of a mail program that ignores the rule.
 */
export function isOfDesktop(prelude: string): boolean {
  const [, rule = '', condition = ''] = /^@([\w-]+)\s*([\s\S]*)$/.exec(prelude.toLowerCase()) ?? [];
  if (rule === 'supports') return !/^not\b/.test(condition);
  if (rule === 'layer' || rule === 'starting-style') return rule === 'layer';
  if (rule !== 'media') return false;
  return condition.split(',').some(matchesOne);
}

const queryPattern =
  /^\s*(?:(not)\s+|only\s+)?(?:(all|screen|print|speech|tty|tv|projection|handheld)\b)?\s*(?:and\b)?([\s\S]*)$/;

function matchesOne(query: string): boolean {
  const [, not, type = 'all', rest = ''] = queryPattern.exec(query) ?? [];
  const isOfType = type === 'all' || type === 'screen';
  const features = [...rest.matchAll(/\(\s*([\w-]+)\s*(?::\s*([^()]{1,40}?))?\s*\)/g)];
  const isPlain = rest.replaceAll(/\([^()]*\)|\band\b|\s/g, '') === '';
  const isMatch =
    isOfType &&
    isPlain &&
    features.length === (rest.match(/\(/g)?.length ?? 0) &&
    features.every(([, name = '', value]) => value !== undefined && known[name]?.(value) === true);
  return not === undefined ? isMatch : !isMatch;
}

function pixels(value: string): number {
  const number = Number.parseFloat(value);
  return /em$/.test(value) ? number * 16 : number;
}
