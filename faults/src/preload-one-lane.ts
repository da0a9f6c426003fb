/*
 * Loaded before a server (`NODE_OPTIONS=--import <this file>`). Gives all destinations of direct mail the same lane, so that a control can show
 * what happens without one for each.
 */
import { Destinations } from '../../server/src/mail/transports/direct/destinations.ts';

const { of } = Destinations.prototype;
Destinations.prototype.of = function ofAll(this: Destinations) {
  return of.call(this, 'all');
};
