/** The contract is private and bundled into what is published, so a published package must not ask for it. */
const beforePacking = (manifest) => {
  delete manifest.dependencies?.['@postrider/contract'];
  return manifest;
};

export const hooks = { beforePacking };
