/** The functions with which the server fills its search, for benchmarks that fill the tables without it. */
export { openWords } from '../../../server/src/embedding/words.ts';
export { cutNewText } from '../../../server/src/search/index/make-documents.ts';
export { packVector, vectorCode, vectorSpace } from '../../../server/src/search/semantic/vectors.ts';
export { searchDocument } from '../../../server/src/search/text/search-document.ts';
export { typoHashes } from '../../../server/src/search/text/word-forms.ts';
