/*
 * The search for codes and links. It is a fifth of the client and most programs do not need it, so it has a
 * file of its own, which is loaded on first use.
 */

export { findCode } from './find-code.ts';
export { findLink } from './find-link.ts';
