import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { countedMax } from '../server/src/http/answer-metrics.ts';
import { readAlertRules, rulesFolder } from './metrics/alert-rules.ts';
import { listMetrics, listNames } from './metrics/catalogue.ts';
import { makeDashboard } from './metrics/dashboard.ts';
import { rows } from './metrics/panels.ts';

const metrics = await listMetrics();
const known = metrics.map(({ name }) => name);
const own = known.filter((name) => name.startsWith('postrider_'));
const shown = listNames(
  rows.flatMap(({ panels }) => panels.flatMap(({ queries }) => Object.values(queries))).join('\n'),
);
const rules = readAlertRules();
const page = readFileSync(new URL('../docs/self-hosting/metrics.md', import.meta.url), 'utf8');

describe('metrics', () => {
  test('have the unit in their name, and a sentence', () => {
    for (const { name, type, help } of metrics.filter(({ name }) => own.includes(name))) {
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
      expect(help, name).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('are all on the dashboard and on the page', () => {
    expect(own.filter((name) => !shown.includes(name))).toEqual([]);
    expect(own.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  });

  test('are the ones that the dashboard, the rules and the page name', () => {
    const named = [...shown, ...listNames(rules.map(({ expr }) => expr).join('\n')), ...listNames(page)];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    expect(listNames(JSON.stringify(makeDashboard())).sort()).toEqual(shown.sort());
  });

  test('that every process has from the database are never added up over processes', () => {
    const ofServer = metrics.filter(({ isOfServer }) => isOfServer).map(({ name }) => name);
    const expressions = [
      ...rows.flatMap(({ panels }) => panels.flatMap(({ queries }) => Object.values(queries))),
      ...rules.map(({ expr }) => expr),
    ];
    for (const expression of expressions)
      for (const name of listNames(expression).filter((one) => ofServer.includes(one)))
        expect(expression).toMatch(new RegExp(`max(?: by \\(\\w+\\) )?\\(${name}\\b`));
  });
});

describe('alert rules', () => {
  test('fire for a queue that is longer than what is counted', () => {
    const growing = rules.find(({ alert }) => alert === 'PostriderDeferredGrowing');
    expect(growing?.expr).toMatch(new RegExp(` or max\\(.*\\) >= ${countedMax}$`));
    expect(growing?.annotations.summary).toContain(countedMax.toLocaleString('en'));
  });

  test('are all on the page, with what to do', () => {
    for (const { alert, annotations } of rules)
      expect(page).toContain(
        `| \`${alert}\` | ${rules.find((rule) => rule.alert === alert)?.labels.severity} | ${annotations.summary} | ${annotations.description} |`,
      );
  });

  test('each have a moment at which they fire, and one at which they do not', () => {
    interface Case {
      name: string;
      promql_expr_test: { expr: string; exp_samples: unknown[] }[];
    }
    const { tests } = parse(readFileSync(new URL('rules.test.yaml', rulesFolder), 'utf8')) as {
      tests: Case[];
    };
    expect(tests.map(({ name }) => name)).toEqual(rules.map(({ alert }) => alert));
    for (const { name, promql_expr_test: moments } of tests) {
      for (const { expr } of moments) expect(expr).toContain(`alertname="${name}"`);
      expect([...new Set(moments.map(({ exp_samples }) => exp_samples.length))].sort(), name).toEqual([0, 1]);
    }
  });
});
