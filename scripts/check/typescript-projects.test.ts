import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { listProjects } from './typescript-projects.ts';

const rootFolder = fileURLToPath(new URL('../../', import.meta.url));

it('knows the projects that there are', () => {
  const ofRoot = globSync('tsconfig?*.json', { cwd: rootFolder }).filter(
    (path) => path !== 'tsconfig.base.json',
  );
  expect(listProjects()).toEqual(expect.arrayContaining(ofRoot));
  expect(globSync(listProjects(), { cwd: rootFolder }).sort()).toEqual(listProjects());
});

it('checks the projects that have a changed file', () => {
  expect(listProjects(['words-en/src/index.ts'])).toEqual(['tsconfig.server.json', 'words-en/tsconfig.json']);
  expect(listProjects(['console/src/main.tsx'])).toEqual(['console/tsconfig.json']);
});

it('checks the scripts only for the part of the server that they import', () => {
  expect(listProjects(['server/src/messages/send-message.ts'])).toEqual(['tsconfig.server.json']);
  expect(listProjects(['server/src/config/values.ts'])).toEqual(['tsconfig.json', 'tsconfig.server.json']);
});

it('checks all projects if their settings changed', () => {
  expect(listProjects(['tsconfig.base.json'])).toEqual(listProjects());
});
