import type { IncomingMessage } from 'node:http';
import { type Agent, get } from 'node:https';

/** The limits of a request to another party's server. */
export interface GetLimits {
  agent: Agent;
  timeoutMs: number;
  bytesMax: number;
}

/** Returns the body of a 200 response. Rejects for any other response, including a redirect, and for one that is too long or too slow. */
export async function getHttps(url: string, { agent, timeoutMs, bytesMax }: GetLimits): Promise<Buffer> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent, signal: AbortSignal.timeout(timeoutMs) }, resolve).on('error', reject);
  });
  if (answer.statusCode !== 200) {
    answer.destroy();
    throw new Error(`${new URL(url).host} answered ${answer.statusCode}.`);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`${new URL(url).host} answered more than ${bytesMax} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
