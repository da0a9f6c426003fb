import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findModelFile } from './find-model-file.ts';
import { openTransformers } from './open-transformers.ts';

const temporaryFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'models-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

// The package is in no install of this repository, since it takes 470 MB.
test('without the package that runs models, the start ends and says how to install it', async () => {
  const opening = openTransformers({
    kind: 'transformers',
    model: 'tiny/bert',
    path: await temporaryFolder(),
  });
  await expect(opening).rejects.toMatchObject({
    name: 'StartError',
    message:
      'POSTRIDER_EMBEDDINGS is transformers, and the package that runs models is not installed. Run `npm install @huggingface/transformers@4.3.1` in the folder of the server, or set POSTRIDER_EMBEDDINGS to words or off.',
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
