/** The device that a user agent names; null for each part that it does not name. */
export interface Device {
  browser: string | null;
  system: string | null;
  /** The name of a program that is not a browser, such as `curl`. */
  program: string | null;
}

/** In this order, because most browsers also name the ones that they are compatible with. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Chrome'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
];

const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

/** Returns a user agent in plain words. It is only a claim of the client, but enough to recognise an own device. */
export function readDevice(userAgent: string | null): Device {
  const text = userAgent ?? '';
  const browser = firstMatch(browsers, text);
  const program = browser === null && !text.startsWith('Mozilla/') ? /^[\w.-]{1,40}/.exec(text)?.[0] : null;
  return { browser, system: firstMatch(systems, text), program: program ?? null };
}

function firstMatch(names: [RegExp, string][], text: string): string | null {
  return names.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
