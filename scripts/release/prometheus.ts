import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../testkit/src/lib/free-port.ts';
import { type Running, startProgram } from './run.ts';

/** The server that a Prometheus scrapes, and how often. */
interface Scraped {
  /** `http://127.0.0.1:<port>` of a server. */
  url: string;
  token: string;
  everySeconds: number;
  /** The path of a file of rules. */
  rules: string;
}

/** One series of an answer, with its value now. */
interface Sample {
  metric: Record<string, string>;
  value: [at: number, value: string];
}

/** A rule as Prometheus evaluates it. */
interface EvaluatedRule {
  name: string;
  health: 'ok' | 'err' | 'unknown';
  lastError?: string;
}

/** A Prometheus of a check. */
export interface Prometheus {
  /** Returns the series of an expression. @throws Error if Prometheus cannot evaluate it. */
  query(expression: string): Promise<Sample[]>;
  rules(): Promise<EvaluatedRule[]>;
  stop: Running['stop'];
}

/** Starts a Prometheus with its data in a folder. */
export async function startPrometheus(folder: string, scraped: Scraped): Promise<Prometheus> {
  const port = await freePort();
  const { url, token, everySeconds, rules } = scraped;
  const config = join(folder, 'prometheus.json');
  // YAML contains JSON.
  await writeFile(
    config,
    JSON.stringify({
      global: { scrape_interval: `${everySeconds}s`, evaluation_interval: `${everySeconds}s` },
      rule_files: [rules],
      scrape_configs: [
        {
          job_name: 'postrider',
          authorization: { credentials: token },
          static_configs: [{ targets: [new URL(url).host] }],
        },
      ],
    }),
  );
  const program = startProgram([
    'prometheus',
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  await program.until(/Server is ready to receive web requests/);
  const ask = async <T>(path: string, parameters: Record<string, string> = {}): Promise<T> => {
    const response = await fetch(
      `http://127.0.0.1:${port}/api/v1/${path}?${new URLSearchParams(parameters)}`,
    );
    const { data, error } = (await response.json()) as { data: T; error?: string };
    if (!response.ok) throw new Error(`${parameters.query ?? path}: ${error}`);
    return data;
  };
  return {
    query: async (query) => (await ask<{ result: Sample[] }>('query', { query })).result,
    rules: async () =>
      (await ask<{ groups: { rules: EvaluatedRule[] }[] }>('rules')).groups.flatMap((group) => group.rules),
    stop: program.stop,
  };
}
