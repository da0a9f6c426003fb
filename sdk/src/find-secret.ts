/*
 * The search for codes and links. It is a fifth of the client and most programs do not need it, so it is a
 * file of its own that is loaded on first use.
 */

export { findCode } from './find-code.ts';
export { findLink } from './find-link.ts';
