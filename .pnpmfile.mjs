/**
 * What is bundled into what is published, so that a published package must not ask for it: the contract, which is private, and `ky`, which
 * asks for a newer Node than it needs. The server in a clone runs from sources, so that they are dependencies there.
 */
const bundled = ['@postrider/contract', 'ky'];
const beforePacking = (manifest) => {
  for (const name of bundled) delete manifest.dependencies?.[name];
  if (Object.keys(manifest.dependencies ?? {}).length === 0) delete manifest.dependencies;
  return manifest;
};

export const hooks = { beforePacking };
