/*
 * Writes the dashboard for Grafana, and the tables of metrics and of alerts into the page about them.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { brand } from '../contract/src/brand.ts';
import { writeOrCheck } from './generated-file.ts';
import { readAlertRules } from './metrics/alert-rules.ts';
import { listMetrics } from './metrics/catalogue.ts';
import { makeDashboard } from './metrics/dashboard.ts';

const page = 'docs/self-hosting/metrics.md';

/** The tables by the name in their marks. */
const tables: Record<string, string> = {
  'metrics of the server': await metricsTable(true),
  'metrics of a process': await metricsTable(false),
  alerts: alertsTable(),
};

async function metricsTable(isOfServer: boolean): Promise<string> {
  const metrics = (await listMetrics()).filter(
    (metric) => metric.isOfServer === isOfServer && metric.name.startsWith(brand.metricPrefix),
  );
  return [
    '| metric | type | labels | meaning |',
    '| --- | --- | --- | --- |',
    ...metrics.map(
      ({ name, type, labels, help }) =>
        `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(' ')} | ${help} |`,
    ),
  ].join('\n');
}

function alertsTable(): string {
  return [
    '| alert | severity | what is wrong | what to do |',
    '| --- | --- | --- | --- |',
    ...readAlertRules().map(
      ({ alert, labels: { severity }, annotations: { summary, description } }) =>
        `| \`${alert}\` | ${severity} | ${summary} | ${description} |`,
    ),
  ].join('\n');
}

/** Replaces what is between the marks of each table. */
async function fillPage(): Promise<string> {
  let text = await readFile(resolve(import.meta.dirname, '..', page), 'utf8');
  for (const [name, table] of Object.entries(tables)) {
    const begin = `<!-- ${name}: made by \`node scripts/metrics-files.ts\` -->`;
    const end = `<!-- end of ${name} -->`;
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${page} has lost the marks of its table of ${name}.`);
    text = `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(to)}`;
  }
  return text;
}

await writeOrCheck('metrics-files', [
  { path: 'deploy/grafana/postrider.json', text: `${JSON.stringify(makeDashboard(), null, 2)}\n` },
  { path: page, text: await fillPage() },
]);
