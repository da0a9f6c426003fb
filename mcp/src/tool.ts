import type {
  CallToolResult,
  ServerContext as McpContext,
  McpServer,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { brand } from '@postrider/contract';
import { PaymentRequiredError } from 'postrider';
import type * as z from 'zod';
import type { CallContext, ServerContext } from './context.ts';
import { describeError } from './describe-error.ts';
import { leanInput, leanOutput } from './schema/lean-schema.ts';
import { readArguments } from './schema/read-arguments.ts';
import type { ToolName } from './tools/tool-names.ts';
import { Fence, withoutFences } from './untrusted/fence.ts';

/** The effect of a tool on the mailbox and on the world. */
export type Effect = 'read' | 'write' | 'send' | 'delete';

/** A tool. */
export interface Tool {
  name: ToolName;
  title: string;
  /** For a model: what it does, when to use it and when not, what comes back, what to do next. */
  description: string;
  effect: Effect;
  /** Whether repeating the same call has no further effect. */
  repeats: boolean;
  /** Whether its changes may be irreversible; the default depends on its effect. */
  destructive: boolean;
  /** Whether it reaches others, or returns text that others wrote. */
  openWorld: boolean;
  /** Whether it changes something that all inboxes of the workspace share. */
  ofWorkspace: boolean;
  /** The read-only form of a tool, for callers that cannot change anything; null if there is none. */
  reading: Tool | null;
  input: z.ZodObject;
  output: z.ZodObject;
  run(ctx: CallContext, args: never): Promise<Record<string, unknown>>;
}

type Definition<Input extends z.ZodObject, Output extends z.ZodObject> = Omit<
  Tool,
  'input' | 'output' | 'run' | 'repeats' | 'ofWorkspace' | 'destructive' | 'openWorld' | 'reading'
> & {
  repeats?: boolean;
  ofWorkspace?: boolean;
  destructive?: boolean;
  openWorld?: boolean;
  reading?: Tool;
  input: Input;
  output: Output;
  run(ctx: CallContext, args: z.output<Input>): Promise<z.input<Output>>;
};

/** Defines a tool, with types for its arguments and its result. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Definition<Input, Output>,
): Tool {
  const { effect, ofWorkspace = false, reading = null } = definition;
  const {
    repeats = effect === 'read',
    destructive = effect === 'delete' || effect === 'send',
    openWorld = effect !== 'delete' && !ofWorkspace,
  } = definition;
  return { ...definition, repeats, ofWorkspace, destructive, openWorld, reading } as Tool;
}

/** Adds a tool to a server. */
export function registerTool(server: McpServer, shared: ServerContext, tool: Tool): void {
  const config = {
    ...toolFields(tool),
    inputSchema: leanInput(tool.input),
    outputSchema: leanOutput(tool.output),
  };
  server.registerTool(tool.name, config, (args, mcp) => callTool(tool, shared, args, mcp));
}

/**
 * Lists the tools that `open` returns, each time a client asks. A client with an older list can still call others: the API refuses calls
 * that are not allowed, and says why.
 */
export function listTools(server: McpServer, open: () => Promise<Tool[]>): void {
  server.server.setRequestHandler('tools/list', async () => {
    const tools = (await open()).map((tool) => ({
      name: tool.name,
      ...toolFields(tool),
      inputSchema: toJsonSchema(leanInput(tool.input), 'input'),
      outputSchema: toJsonSchema(leanOutput(tool.output), 'output'),
    }));
    return { tools };
  });
}

function toolFields({ title, description, effect, repeats, destructive, openWorld }: Tool) {
  const annotations = {
    readOnlyHint: effect === 'read',
    destructiveHint: destructive,
    idempotentHint: repeats,
    openWorldHint: openWorld,
  };
  return { title, description, annotations };
}

function toJsonSchema(schema: StandardSchemaWithJSON, side: 'input' | 'output') {
  return schema['~standard'].jsonSchema[side]({ target: 'draft-2020-12' }) as { type: 'object' };
}

const marksKey = `${brand.packages.sdk}/untrusted`;

async function callTool(
  tool: Tool,
  shared: ServerContext,
  args: unknown,
  mcp: McpContext,
): Promise<CallToolResult> {
  const fence = new Fence();
  const progress = (done: number, total: number, message: string) =>
    reportProgress(mcp, done, total, message);
  try {
    return result(
      await run(tool, shared, args, { fence, signal: mcp.mcpReq.signal, reportProgress: progress }),
      fence,
      false,
    );
  } catch (error) {
    const described = describeError(error, fence, tool.repeats);
    // A tool that was just refused may no longer be in the list.
    if (described.error === 'sending_not_allowed') shared.access.suspect();
    return result({ ...described, ...(await planFor(error, shared)) }, fence, true);
  }
}

/** An agent that reaches a limit of the plan needs to know the plan. */
async function planFor(error: unknown, { client }: ServerContext): Promise<{ plan?: string }> {
  if (!(error instanceof PaymentRequiredError)) return {};
  const { plan } = await client.account.get({ maxRetries: 0 }).catch(() => ({ plan: undefined }));
  return plan === undefined ? {} : { plan };
}

type OfCall = Pick<CallContext, 'fence' | 'signal' | 'reportProgress'>;

/** Checks the arguments, and returns the result with the notes of the tool. */
async function run(
  tool: Tool,
  shared: ServerContext,
  args: unknown,
  call: OfCall,
): Promise<Record<string, unknown>> {
  const notes: string[] = [];
  const ctx: CallContext = { ...shared, ...call, note: (sentence) => notes.push(sentence) };
  const answer = await tool.run(
    ctx,
    tool.input.parse(readArguments(tool.input, withoutFences(args ?? {}))) as never,
  );
  return { ...answer, ...(notes.length > 0 && { note: notes.join(' ') }) };
}

/** Returns the result of a tool, for code that is not a tool itself. */
export async function runTool(
  tool: Tool,
  shared: ServerContext,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const fence = new Fence();
  const answer = await run(tool, shared, args, { fence, signal, reportProgress: async () => {} });
  return withNotice(answer, fence);
}

/** The notice comes first, before the text that it is about. */
function withNotice(content: Record<string, unknown>, { notice }: Fence): Record<string, unknown> {
  return withoutNulls(notice === null ? content : { notice, ...content });
}

/** Hosts show a model either the text or the structured content, so both are complete. */
function result(content: Record<string, unknown>, fence: Fence, isError: boolean): CallToolResult {
  const { notice } = fence;
  const whole = withNotice(content, fence);
  return {
    content: [{ type: 'text', text: JSON.stringify(whole) }],
    ...(isError ? { isError } : { structuredContent: whole }),
    ...(notice !== null && { _meta: { [marksKey]: { fence: `untrusted-${fence.nonce}` } } }),
  };
}

/** Fields of the result and of the items of its lists are left out if they have no value, as the output schemas say. */
function withoutNulls(content: Record<string, unknown>, isItem = false): Record<string, unknown> {
  const entries = Object.entries(content).filter(([, value]) => value !== null);
  const ofItems = (value: unknown) =>
    Array.isArray(value) && !isItem
      ? value.map((one) => (isRecord(one) ? withoutNulls(one, true) : one))
      : value;
  return Object.fromEntries(entries.map(([name, value]) => [name, ofItems(value)]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function reportProgress(mcp: McpContext, progress: number, total: number, message: string) {
  const progressToken = mcp.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await mcp.mcpReq.notify({
    method: 'notifications/progress',
    params: { progressToken, progress, total, message },
  });
}
