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

/** A colour: red, green, blue from 0 to 255. */
export type Colour = readonly [number, number, number];

/** The names of colours that mail uses, and of those that are close to white or black. */
const names: Record<string, string> = Object.fromEntries(
  (
    'white ffffff black 000000 red ff0000 green 008000 blue 0000ff yellow ffff00 orange ffa500 purple 800080 pink ffc0cb brown a52a2a ' +
    'gray 808080 grey 808080 silver c0c0c0 lightgray d3d3d3 lightgrey d3d3d3 darkgray a9a9a9 darkgrey a9a9a9 dimgray 696969 dimgrey 696969 ' +
    'gainsboro dcdcdc whitesmoke f5f5f5 snow fffafa ivory fffff0 ghostwhite f8f8ff floralwhite fffaf0 mintcream f5fffa azure f0ffff ' +
    'aliceblue f0f8ff honeydew f0fff0 seashell fff5ee oldlace fdf5e6 linen faf0e6 lavenderblush fff0f5 lightyellow ffffe0 cornsilk fff8dc ' +
    'beige f5f5dc lightcyan e0ffff lavender e6e6fa navy 000080 midnightblue 191970 maroon 800000 teal 008080 lime 00ff00 aqua 00ffff ' +
    'cyan 00ffff fuchsia ff00ff magenta ff00ff gold ffd700 tomato ff6347 coral ff7f50 crimson dc143c indigo 4b0082 violet ee82ee ' +
    'darkblue 00008b darkgreen 006400 darkred 8b0000 steelblue 4682b4 royalblue 4169e1 slategray 708090 darkslategray 2f4f4f'
  )
    .split(' ')
    .reduce<[string, string][]>((pairs, word, at, all) => {
      if (at % 2 === 0) pairs.push([word, all[at + 1] ?? '']);
      return pairs;
    }, []),
);

/** Returns a colour with its opacity from 0 to 1, of CSS or of an attribute. Returns null for anything else. */
export function parseColour(value: string): { colour: Colour; alpha: number } | null {
  const text = value.trim().toLowerCase();
  if (text === 'transparent') return { colour: [0, 0, 0], alpha: 0 };
  const hex = names[text] ?? /^#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(text)?.[1];
  if (hex !== undefined) return fromHex(hex);
  const [, kind, inside = ''] = /^(rgb|hsl)a?\(([^()]{1,60})\)$/.exec(text) ?? [];
  if (kind === undefined) return null;
  const parts = inside.split(/[\s,/]+/).filter((part) => part !== '');
  const [one = Number.NaN, two = Number.NaN, three = Number.NaN, alpha = 1] = parts.map((part, at) =>
    kind === 'rgb' || at === 3 ? amount(part, at === 3 ? 1 : 255) : Number.parseFloat(part),
  );
  if ([one, two, three, alpha].some(Number.isNaN)) return null;
  return { colour: kind === 'rgb' ? [one, two, three] : fromHsl(one, two / 100, three / 100), alpha };
}

/** Returns whether a person cannot read text of one colour on the other: the contrast of WCAG is under 1.12, of 21. */
export function isUnreadable(text: Colour, backdrop: Colour): boolean {
  const [light = 0, dark = 0] = [luminance(text), luminance(backdrop)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05) < 1.12;
}

function amount(part: string, whole: number): number {
  const value = Number.parseFloat(part);
  return part.endsWith('%') ? (value / 100) * whole : value;
}

function fromHex(hex: string): { colour: Colour; alpha: number } {
  const full = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const [red = 0, green = 0, blue = 0, alpha = 255] = (full.match(/../g) ?? []).map((pair) =>
    Number.parseInt(pair, 16),
  );
  return { colour: [red, green, blue], alpha: alpha / 255 };
}

function fromHsl(hue: number, saturation: number, lightness: number): Colour {
  const channel = (offset: number) => {
    const place = (offset + hue / 30) % 12;
    const reach = saturation * Math.min(lightness, 1 - lightness);
    return 255 * (lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const share = Math.min(255, Math.max(0, value)) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
