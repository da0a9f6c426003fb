import { type Panel, type Row, rows } from './panels.ts';

const datasource = { type: 'prometheus', uid: `\${datasource}` };
/** Grafana divides a dashboard into 24 columns. */
const columns = 24;
const sizes = { figure: { w: 4, h: 4 }, lines: { w: 8, h: 8 } };

/** Returns the dashboard as Grafana imports it. It asks for the Prometheus to read from, and for the processes to show. */
export function makeDashboard(): object {
  return {
    uid: 'postrider',
    title: 'Postrider',
    description: 'A Postrider server: what comes in, what waits, what goes out.',
    tags: ['postrider', 'email'],
    schemaVersion: 39,
    editable: true,
    graphTooltip: 1,
    time: { from: 'now-6h', to: 'now' },
    refresh: '30s',
    templating: { list: [datasourceVariable, instanceVariable] },
    panels: layOut(rows),
  };
}

const datasourceVariable = {
  name: 'datasource',
  label: 'Prometheus',
  type: 'datasource',
  query: 'prometheus',
};

const instanceVariable = {
  name: 'instance',
  label: 'Process',
  type: 'query',
  datasource,
  query: { query: 'label_values(postrider_database_up, instance)', refId: 'instance' },
  refresh: 2,
  multi: true,
  includeAll: true,
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
};

/** Puts the panels of each row below its title, from left to right. */
function layOut(all: Row[]): object[] {
  const panels: object[] = [];
  let y = 0;
  for (const row of all) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title: row.title,
      collapsed: false,
      gridPos: { x: 0, y, w: columns, h: 1 },
      panels: [],
    });
    y += 1;
    let [x, h] = [0, 0];
    for (const panel of row.panels) {
      const size = panel.isFigure ? sizes.figure : sizes.lines;
      if (x + size.w > columns) [x, y] = [0, y + h];
      panels.push({ id: panels.length + 1, ...describe(panel), gridPos: { x, y, ...size } });
      x += size.w;
      h = size.h;
    }
    y += h;
  }
  return panels;
}

function describe({ title, unit, queries, isFigure }: Panel): object {
  return {
    type: isFigure ? 'stat' : 'timeseries',
    title,
    datasource,
    fieldConfig: { defaults: { unit, ...(isFigure ? {} : { min: 0 }) }, overrides: [] },
    targets: Object.entries(queries).map(([legendFormat, expr], place) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + place),
      datasource,
      expr,
      legendFormat,
    })),
  };
}
