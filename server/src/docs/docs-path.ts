/** The path of the documentation. */
export const docsPath = '/docs';
