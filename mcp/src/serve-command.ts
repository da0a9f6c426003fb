import type { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { Postrider } from 'postrider';
import { createMcpServer, shareContext } from './server.ts';
import type { Settings } from './settings.ts';
import { watchResources } from './watch-resources.ts';

/** How often to ask the server whether people have changed the rights of the key. */
const lookForChangesMs = 60_000;

/** The options of the command. */
export interface CommandOptions {
  apiKey: string;
  settings: Settings;
  /** Receives lines for the person who runs it. Standard output belongs to the protocol. */
  log(line: string): void;
}

/** Serves one client over standard input and output, until its input ends. */
export function serveCommand({ apiKey, settings, log }: CommandOptions): void {
  const write = (...words: unknown[]) => log(words.map(String).join(' '));
  const logger = { error: write, warn: write, info: write, debug: write };
  const shared = shareContext({ client: new Postrider({ apiKey, logger }), secret: apiKey, settings });
  const watch = watchResources(shared);
  const end = new AbortController();
  const transport = new HeardTransport(
    (method) => {
      if (method === 'subscriptions/listen') watch.listen();
    },
    () => {
      watch.stop();
      end.abort();
    },
  );
  let server: McpServer | null = null;
  shared.access.watch(lookForChangesMs, end.signal, () => server?.sendToolListChanged());
  const create = async () => {
    // Prompts are listed once, by the rights that are known then.
    await shared.access.refresh();
    server = createMcpServer(shared, { canWatch: true, tellsTools: true });
    watch.use(server);
    return server;
  };
  serveStdio(create, { transport, onerror: (error) => log(error.message) });
}

/** Reports which methods are called. The library handles some of them without telling the server. */
class HeardTransport extends StdioServerTransport {
  readonly #hear: (method: string) => void;
  readonly #end: () => void;

  constructor(hear: (method: string) => void, end: () => void) {
    super();
    this.#hear = hear;
    this.#end = end;
  }

  override async start(): Promise<void> {
    const { onmessage, onclose } = this;
    this.onmessage = (message) => {
      if ('method' in message) this.#hear(message.method);
      onmessage?.(message);
    };
    this.onclose = () => {
      this.#end();
      onclose?.();
    };
    await super.start();
  }
}
