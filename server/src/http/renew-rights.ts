import type { RequestHandler, Response } from 'express';

/**
 * How long the rights of a caller count as just read. A usual body arrives within that, so few requests read them twice. A slow one may
 * take half a minute, in which people may revoke or narrow a key, or end a session.
 */
export const rightsLimits = { freshMs: 50 };

interface ReadRights {
  atMs: number;
  readAgain(): Promise<void>;
}

/** Reads the rights of a caller, and notes on the response how `renewRights` reads them again. */
export async function readRights(res: Response, read: () => Promise<void>): Promise<void> {
  await read();
  res.locals.rights = { atMs: performance.now(), readAgain: read } satisfies ReadRights;
}

/** Reads the rights of the caller again if the body took a while, so that nobody acts with rights from before it. Comes after the body. */
export const renewRights: RequestHandler = async (_req, res, next) => {
  const rights = res.locals.rights as ReadRights | undefined;
  if (rights && performance.now() - rights.atMs > rightsLimits.freshMs) await rights.readAgain();
  next();
};
