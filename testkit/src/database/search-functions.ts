/** The functions with which the server fills its search, for benchmarks that fill the tables without it. */
export { openWords } from '../../../server/src/embedding/words/open-words.ts';
export { restOf } from '../../../server/src/search/index/make-documents.ts';
export { codeOf, packVector, spaceOf } from '../../../server/src/search/semantic/vectors.ts';
export { searchDocument } from '../../../server/src/search/text/search-document.ts';
export { variantsOf } from '../../../server/src/search/text/word-forms.ts';
