export { type LocalModel, ModelError } from './local-model.ts';
export { openModel2vec } from './model2vec/open-model2vec.ts';
export {
  isTransformersInstalled,
  openTransformers,
  transformersPackage,
} from './transformers/open-transformers.ts';
