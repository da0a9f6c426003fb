import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file with the weights of a model, and how `@huggingface/transformers` calls its type of numbers. */
interface ModelFile {
  path: string;
  dtype: string;
}

/** The most exact first. */
const candidates = [
  { name: 'model.onnx', dtype: 'fp32' },
  { name: 'model_fp16.onnx', dtype: 'fp16' },
  { name: 'model_quantized.onnx', dtype: 'q8' },
  { name: 'model_int8.onnx', dtype: 'int8' },
  { name: 'model_uint8.onnx', dtype: 'uint8' },
  { name: 'model_q4.onnx', dtype: 'q4' },
];

/**
 * Finds the weights in the folder of a model.
 *
 * @throws Error if there are none.
 */
export async function findModelFile(folder: string): Promise<ModelFile> {
  for (const { name, dtype } of candidates) {
    const path = join(folder, 'onnx', name);
    const found = await stat(path).catch(() => null);
    if (found?.isFile()) return { path, dtype };
  }
  throw new Error(
    `No model was found in ${join(folder, 'onnx')}: it should have one of ${candidates.map(({ name }) => name).join(', ')}.`,
  );
}
