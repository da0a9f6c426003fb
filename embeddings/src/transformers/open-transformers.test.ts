import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findModelFile } from './find-model-file.ts';
import { isTransformersInstalled, openTransformers } from './open-transformers.ts';

const temporaryFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'models-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

// The package is in no install of this repository, since it takes 470 MB. `test/packed.test.ts` runs the thread with a stand-in.
test('without the package that runs models, none is opened', async () => {
  expect(isTransformersInstalled()).toBe(false);
  const opening = openTransformers({ model: 'tiny/bert', folder: await temporaryFolder() });
  await expect(opening).rejects.toMatchObject({
    name: 'ModelError',
    mayPass: false,
    message: expect.stringContaining("'@huggingface/transformers'"),
  });
});

test('the most exact weights in a folder are taken', async () => {
  const folder = await temporaryFolder();
  await expect(findModelFile(folder)).rejects.toThrow('it should have one of model.onnx, ');
  await mkdir(join(folder, 'onnx', 'model.onnx'), { recursive: true });
  await writeFile(join(folder, 'onnx', 'model_quantized.onnx'), '');
  expect(await findModelFile(folder)).toEqual({
    path: join(folder, 'onnx', 'model_quantized.onnx'),
    dtype: 'q8',
  });
  await writeFile(join(folder, 'onnx', 'model_fp16.onnx'), '');
  expect(await findModelFile(folder)).toMatchObject({ dtype: 'fp16' });
});
