import type { Variable } from '../../server/src/config/values.ts';
import { variables } from '../../server/src/config/variables.ts';

const settings = Object.entries(variables as Record<string, Variable<unknown>>);

const intro = [
  'Settings of the server. Copy this file to `.env` in the folder that the server is started from, and take away the `# ` of',
  'a line to set it; variables of the environment win. A value shown here is the default, and one that is empty counts as',
  'absent. Where a `_FILE` variant is named, the value may stand in the file that it names instead.',
];

/** Returns the text of `.env.example`: every setting with its sentence and its default, all of them commented out. */
export function envExample(): string {
  const entries = settings.map(([name, { about, example, secret }]) =>
    [
      `# ${about}${secret ? ` Or ${name}_FILE.` : ''}`,
      `# ${name}=${example === undefined ? '' : quoted(example)}`,
    ].join('\n'),
  );
  return `${[intro.map((line) => `# ${line}`).join('\n'), ...entries].join('\n\n')}\n`;
}

/** Returns the settings as a Markdown table. */
export function settingsTable(): string {
  const rows = settings.map(([name, { about, example, secret }]) => {
    const names = `\`${name}\`${secret ? ' `…_FILE`' : ''}`;
    return `| ${names} | ${example === undefined ? 'none' : `\`${example}\``} | ${about.replaceAll('|', '\\|')} |`;
  });
  return ['| variable | default | |', '| --- | --- | --- |', ...rows].join('\n');
}

function quoted(value: string): string {
  return /[\s#"'`]/.test(value) ? `'${value}'` : value;
}
