/*
 * What waits for codes and links read messages by. It is a file of its own that is loaded when it is needed first, since it is a fifth
 * of the client, and most programs wait for no such thing.
 */

export { findCode } from './find-code.ts';
export { findLink } from './find-link.ts';
