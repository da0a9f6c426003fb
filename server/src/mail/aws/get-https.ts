import type { IncomingMessage } from 'node:http';
import { type Agent, get } from 'node:https';

/** How far a request to somebody else's server may go. */
export interface GetLimits {
  agent: Agent;
  timeoutMs: number;
  bytesMax: number;
}

/** The body that a URL answers with 200; rejects for any other answer, redirects too, and for one that is too long or slow. */
export const getHttps = async (url: string, { agent, timeoutMs, bytesMax }: GetLimits): Promise<Buffer> => {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent, signal: AbortSignal.timeout(timeoutMs) }, resolve).on('error', reject);
  });
  if (answer.statusCode !== 200) {
    answer.destroy();
    throw new Error(`${new URL(url).host} answered ${answer.statusCode}.`);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop ends the connection.
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`${new URL(url).host} answered more than ${bytesMax} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
