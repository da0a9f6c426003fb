import { createMetrics } from '../../server/src/metrics.ts';

/** A metric as `/metrics` describes it. */
interface CataloguedMetric {
  name: string;
  type: string;
  help: string;
  labels: string[];
  /** Whether it is about the whole server, and the same from every process. */
  isOfServer: boolean;
}

/** Returns all metrics of a process, in the order in which they are printed. */
export async function listMetrics(): Promise<CataloguedMetric[]> {
  const { registry, backlog } = createMetrics();
  const list = async (from: typeof registry, isOfServer: boolean) =>
    (await from.getMetricsAsJSON()).map(({ name, type, help }) => {
      const { labelNames } = from.getSingleMetric(name) as unknown as { labelNames: string[] };
      return { name, type: `${type}`, help, labels: labelNames, isOfServer };
    });
  return [...(await list(registry, false)), ...(await list(backlog.registry, true))];
}

/** Returns the names of metrics in expressions. Those of the parts of a histogram are its own. */
export function listNames(expressions: string): string[] {
  const found = expressions.matchAll(/\b((?:postrider|process|nodejs)_\w+?)(?:_bucket|_sum|_count)?\b/g);
  return [...new Set([...found].map(([, name = '']) => name))];
}
