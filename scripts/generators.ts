/** A script that writes committed files. With `--check` it writes nothing, and fails if a file differs from what it would write. */
export interface Generator {
  script: string;
  makes: string;
}

/** All generators. `pnpm generate` runs them in this order, and the tier `generated` runs each with `--check`. */
export const generators: Generator[] = [
  { script: 'scripts/openapi.ts', makes: 'openapi.json and management.openapi.json' },
  { script: 'scripts/sdk-types.ts', makes: 'sdk/src/generated/' },
  { script: 'scripts/python-client.ts', makes: 'python/postrider/_generated/' },
  { script: 'scripts/console-errors.ts', makes: 'what the console says about errors' },
  { script: 'scripts/env-example.ts', makes: '.env.example' },
  { script: 'scripts/reference.ts', makes: 'docs/reference/' },
  { script: 'scripts/limits-table.ts', makes: 'the table of limits in each process' },
  { script: 'scripts/metrics-files.ts', makes: 'the dashboard, the tables of metrics and alerts' },
  { script: 'scripts/tool-table.ts', makes: 'the tables of MCP tools' },
  { script: 'scripts/mcp-entry.ts', makes: 'mcp/server.json and plugin/' },
];
