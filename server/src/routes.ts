import { initServer } from '@ts-rest/express';

/**
 * Types the handlers of one resource by its part of the contract. This file and `http/router.ts` are the only ones of the
 * server that know ts-rest.
 */
export const defineRoutes = initServer().router;
