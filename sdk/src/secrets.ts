/*
 * Finds the one-time codes and links of messages that a program already has. `messages.waitForCode` and `messages.waitForLink` wait for the
 * next ones.
 */

export { findCode } from './waits/find-code.ts';
export { findLink, findLinkWithTexts, type LinkMatch, type LinkSearch } from './waits/find-link.ts';
