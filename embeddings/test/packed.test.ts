import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transformersPackage } from '../src/index.ts';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
let folder: string;
let installed: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packed-embeddings-'));
  installed = join(folder, 'node_modules', '@postrider', 'embeddings');
  const tarball = join(folder, 'embeddings.tgz');
  execFileSync('pnpm', ['pack', '--out', tarball], { cwd: packageFolder, stdio: 'pipe' });
  await mkdir(installed, { recursive: true });
  execFileSync('tar', ['xzf', tarball, '-C', installed, '--strip-components=1']);
  // The dependencies of the package are linked instead of installed.
  await symlink(join(packageFolder, 'node_modules', 'zod'), join(folder, 'node_modules', 'zod'));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program beside the installed package and returns what it prints. */
const run = async (program: string) => {
  await writeFile(join(folder, 'use.js'), program);
  return execFileSync(process.execPath, ['use.js'], { cwd: folder, encoding: 'utf8', timeout: 600_000 });
};

/** Puts a package into the folder that has the functions of transformers.js which are used, and counts letters. */
const standIn = async () => {
  const target = join(folder, 'node_modules', '@huggingface', 'transformers');
  await mkdir(target, { recursive: true });
  await writeFile(join(target, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  await writeFile(
    join(target, 'index.js'),
    `export const env = {};
     export const pipeline = async (task, model, { dtype }) => async (texts) => {
       if (texts.includes('end')) process.exit();
       if (texts.includes('fail')) throw new Error('too long for ' + model);
       return { data: Float32Array.from(texts.flatMap((text) => [3 * text.length, 4 * text.length])) };
     };`,
  );
  const model = join(folder, 'models', 'tiny', 'bert', 'onnx');
  await mkdir(model, { recursive: true });
  await writeFile(join(model, 'model.onnx'), 'weights');
};

describe('the packed package', () => {
  test('has one dependency, exactly, and asks for the version of transformers.js that it names', async () => {
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(manifest.dependencies).toEqual({ zod: expect.stringMatching(/^\d/) });
    expect(manifest.peerDependencies).toEqual({ [transformersPackage.name]: transformersPackage.version });
    expect(manifest.peerDependenciesMeta).toEqual({ [transformersPackage.name]: { optional: true } });
    expect(await readFile(join(installed, 'dist', 'index.d.ts'), 'utf8')).toContain('openModel2vec');
    expect(await readFile(join(installed, 'LICENSE'), 'utf8')).toContain('MIT');
  });

  test('runs a model in its thread, and starts another thread after a failure', async () => {
    await standIn();
    const printed = await run(`
      import { openTransformers, isTransformersInstalled } from '@postrider/embeddings';
      const { signal } = new AbortController();
      const model = await openTransformers({ folder: 'models', model: 'tiny/bert' });
      const vectors = await model.embedMany(['mail', ' ', 'invoice'], signal);
      const failures = [];
      for (const text of ['fail', 'end'])
        await model.embedQuery(text, signal).catch((error) => failures.push([error.message, error.mayPass]));
      const again = await model.embedQuery('again', signal);
      const pending = model.embedQuery('late', signal).catch((error) => failures.push([error.message, error.mayPass]));
      await model.close();
      await pending;
      const round = (vector) => [...vector].map((value) => Number(value.toFixed(3)));
      console.log(JSON.stringify({
        isThere: isTransformersInstalled(), name: model.name, version: model.version, dimensions: model.dimensions,
        vectors: vectors.map(round), again: round(again), failures,
      }));`);
    expect(JSON.parse(printed)).toEqual({
      isThere: true,
      name: 'transformers:tiny/bert',
      version: 'fp32-9a129038d9a00aed',
      dimensions: 2,
      vectors: [
        [0.6, 0.8],
        [0, 0],
        [0.6, 0.8],
      ],
      again: [0.6, 0.8],
      failures: [
        ['too long for tiny/bert', false],
        ['The thread of the model was stopped: it ended.', true],
        ['The model was closed.', false],
      ],
    });
  });
});
