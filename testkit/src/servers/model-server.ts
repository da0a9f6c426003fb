/*
 * The HTTP interface of a language model, as in OpenAI and services compatible with it: `POST /v1/chat/completions`. The words of a model
 * are not ours to test, so this one always does the same. With tools it searches, reads the first message that was found and replies to its
 * sender. Without tools it names the subject that it was asked about.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface ChatMessage {
  role: string;
  content: unknown;
  tool_calls?: unknown;
}

interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  tools?: { function: { name: string } }[];
  stream?: boolean;
}

/** A server that responds as a model does. */
export interface ModelServer {
  /** The settings of a program that uses it: `OPENAI_BASE_URL`, `OPENAI_API_KEY`, `OPENAI_MODEL`. */
  env: Record<string, string>;
  stop(): void;
}

/** Starts the model on a free port of 127.0.0.1. */
export async function startModelServer(): Promise<ModelServer> {
  const server = createServer(async (request, response) => {
    const [status, answer] = await answerTo(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_API_KEY: apiKey,
      OPENAI_MODEL: 'stand-in',
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const apiKey = 'sk-stand-in';

async function answerTo(request: IncomingMessage): Promise<[number, unknown]> {
  const refusal = (status: number, message: string): [number, unknown] => [status, { error: { message } }];
  if (request.headers.authorization !== `Bearer ${apiKey}`) return refusal(401, 'Unknown key.');
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions')
    return refusal(404, 'No such path.');
  const { model, messages, tools, stream } = (await json(request)) as ChatRequest;
  if (stream) return refusal(400, 'Answers come whole.');
  const call = tools ? nextCall(messages) : null;
  const message = call
    ? { role: 'assistant', content: null, tool_calls: [call] }
    : { role: 'assistant', content: tools ? 'I have answered the mail.' : wordsFor(messages) };
  const choice = { index: 0, message, finish_reason: call ? 'tool_calls' : 'stop' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const created = Math.floor(Date.now() / 1000);
  const id = `chatcmpl-${randomUUID()}`;
  return [200, { id, object: 'chat.completion', created, model, choices: [choice], usage }];
}

function readText(message: ChatMessage | undefined): string {
  return typeof message?.content === 'string' ? message.content : JSON.stringify(message?.content ?? '');
}

function wordsFor(messages: ChatMessage[]): string {
  const subject = /"subject":\s*"([^"]*)"/.exec(readText(messages.at(-1)))?.[1];
  return `Thank you for your mail "${subject}". We look into it.`;
}

/** Returns the next call of a tool, or null if the work is done. */
function nextCall(messages: ChatMessage[]): unknown {
  const results = messages.filter(({ role }) => role === 'tool').map(readText);
  const [name, input] = stepAfter(results);
  if (name === null) return null;
  const id = `call_${results.length + 1}`;
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

function stepAfter(results: string[]): [string | null, unknown] {
  const last = results.at(-1) ?? '';
  if (results.length === 0) return ['search', { from: null, subject: null }];
  if (results.length === 1) return ['read', { id: /msg_\w+/.exec(last)?.[0] }];
  if (results.length > 2) return [null, null];
  const mail = JSON.parse(last);
  const text = `Thank you for your mail "${mail.subject}".`;
  return ['send', { to: mail.from, subject: `Re: ${mail.subject}`, text, in_reply_to: mail.message_id }];
}
