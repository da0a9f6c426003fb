/** A layer of `server/src`. A file imports lower layers, its own folder, and other parts of its layer as long as they make no circle. */
export interface Layer {
  name: string;
  about: string;
  /** Folders end with a slash, and files do not. */
  parts: string[];
  /** In such a layer, imports of types alone make no circle: its parts know each other by interface. */
  byInterface?: true;
  /** In such a layer, parts may make circles, because they belong together. */
  open?: true;
}

/** The layers, lowest first. */
export const layers: Layer[] = [
  {
    name: 'foundation',
    about: 'pure functions, resources and protocols; knows no tenant',
    parts: [
      'lib/',
      'config/',
      'deps',
      'context',
      'routes',
      'metrics',
      'logger',
      'db/',
      'jobs/',
      'mail/',
      'files/',
      'embedding/',
      'dns/',
      'egress/',
      'tls/',
    ],
    byInterface: true,
  },
  {
    name: 'tenancy',
    about: 'whose it is, who may do what, and what they did',
    parts: ['audit/', 'workspaces/', 'people/', 'people-mail/', 'policies/', 'keys/', 'admin-tokens/'],
  },
  {
    name: 'mail',
    about: 'messages, how they come in and go out, and what decides about them',
    parts: [
      'rules/',
      'suppressions/',
      'domains/',
      'attachments/',
      'inboxes/',
      'events/',
      'messages/',
      'search/',
      'delivery/',
      'parsing/',
      'inbound/',
      'outbound/',
      'people-mail/send-people-mail',
    ],
  },
  {
    name: 'product',
    about: 'what is built on messages',
    parts: [
      'threads/',
      'labels/',
      'drafts/',
      'webhooks/',
      'realtime/',
      'accounts/',
      'request-log/',
      'approvals/',
    ],
  },
  {
    name: 'composition',
    about: 'puts all together: routes, servers, command line',
    parts: [
      'app',
      'main',
      'jobs/remove-expired',
      'db/entities',
      'boot/',
      'http/',
      'mcp/',
      'console/',
      'management/',
      'docs/',
      'admin/',
    ],
    open: true,
  },
];

/** The folders that the rest of the server knows by their `index.ts` alone, apart from their entities. */
export const partsWithIndex = ['search/'];

/** A part of the server in its layer. */
export interface Place {
  layer: Layer;
  level: number;
  part: string;
}

/** Returns where a file of `server/src` belongs, such as `messages/list-messages`; null for one that is in no layer. */
export function findPlace(module: string): Place | null {
  // Routes connect a noun with its verbs, wherever these are.
  if (module.endsWith('.routes')) return { layer: layers.at(-1)!, level: layers.length - 1, part: 'routes' };
  for (const [level, layer] of [...layers.entries()].reverse()) {
    const part = layer.parts.find((name) => (name.endsWith('/') ? module.startsWith(name) : module === name));
    if (part !== undefined) return { layer, level, part };
  }
  return null;
}
