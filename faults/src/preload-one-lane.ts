/*
 * Loaded before a server (`NODE_OPTIONS=--import <this file>`). Gives all destinations of direct mail the same lane, so that a control
 * can show what happens without one for each.
 */
const file = new URL('../../server/src/mail/transports/direct/destinations.ts', import.meta.url);
const { Destinations } = (await import(file.href)) as {
  Destinations: { prototype: { of(key: string): unknown } };
};

const { of } = Destinations.prototype;
Destinations.prototype.of = function ofAll() {
  return of.call(this, 'all');
};
