/*
 * Creates and writes large responses in parts, because creating and writing megabytes of JSON at once would keep others waiting. Lists
 * have the JSON of their rows already, by which their size was measured.
 */
import type { Express, Response } from 'express';
import { createBreather } from '../lib/concurrency/wait.ts';
import { findRendered } from '../lib/fit-answer.ts';

/** A response with a text of this length is large. */
const largeCharacters = 131_072;
const sliceCharacters = 65_536;
/** The bytes that are written at a time. */
const partBytes = 131_072;

/** Replaces `res.json` of an app, which then writes large bodies in parts. The header has the length of all bodies. */
export function answerInParts({ response }: Pick<Express, 'response'>): void {
  response.json = function (this: Response, body: unknown) {
    if (isLarge(body)) writeInParts(this, body).catch((error: Error) => this.destroy(error));
    else writeWhole(this, body);
    return this;
  };
}

/** Writes a small body at once. Express would compute validators, charsets and formats, which takes longer than creating the JSON. */
function writeWhole(res: Response, body: unknown): void {
  const json = JSON.stringify(body);
  if (json === undefined) return void res.end();
  setHeaders(res, Buffer.byteLength(json));
  res.end(json);
}

function setHeaders(res: Response, bytes: number): void {
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', bytes);
}

/** Returns whether a value is a large text, a list of rendered rows, or an object with one of these among its members. */
function isLarge(value: unknown): boolean {
  return isLargeMember(value) || hasLargeMember(value);
}

function hasLargeMember(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const name in value) if (isLargeMember(value[name as keyof typeof value])) return true;
  return false;
}

function isLargeMember(value: unknown): boolean {
  return typeof value === 'string' ? value.length >= largeCharacters : isRenderedList(value);
}

function isRenderedList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0 && findRendered(value[0]) !== undefined;
}

async function writeInParts(res: Response, body: unknown): Promise<void> {
  const breathe = createBreather();
  const parts: Buffer[] = [];
  for (const piece of piecesOf(body)) {
    parts.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
    await breathe();
  }
  setHeaders(
    res,
    parts.reduce((sum, part) => sum + part.length, 0),
  );
  let corked = 0;
  res.cork();
  for (const part of parts) {
    if (res.closed) return;
    res.write(part);
    corked += part.length;
    if (corked < partBytes) continue;
    res.uncork();
    await breathe();
    res.cork();
    corked = 0;
  }
  res.end();
}

/** Returns the JSON of a value, piece by piece. */
function* piecesOf(value: unknown): Generator<string | Buffer> {
  if (typeof value === 'string' && value.length >= largeCharacters) yield* textPieces(value);
  else if (isRenderedList(value)) yield* listPieces(value);
  else if (hasLargeMember(value)) yield* objectPieces(value);
  else yield JSON.stringify(value);
}

function* objectPieces(value: object): Generator<string | Buffer> {
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* piecesOf(member);
    before = ',';
  }
  yield '}';
}

function* listPieces(list: unknown[]): Generator<string | Buffer> {
  let before = '[';
  for (const element of list) {
    yield before;
    yield findRendered(element) ?? JSON.stringify(element);
    before = ',';
  }
  yield ']';
}

function* textPieces(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length; ) {
    let end = at + sliceCharacters;
    // A surrogate pair is not split.
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? '')) end++;
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}
