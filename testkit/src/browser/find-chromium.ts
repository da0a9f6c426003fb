import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type ChromiumProgram, unpackChromium } from './unpack-chromium.ts';

const installedNames = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * Finds a Chromium: the one that `POSTRIDER_TEST_CHROMIUM` names, otherwise the pinned one of the npm package `@sparticuz/chromium`,
 * which is for Linux on x64 only, and elsewhere one on the `PATH`. Throws an error that says what to do if no Chromium is found.
 */
export async function findChromium(): Promise<ChromiumProgram> {
  const named = process.env.POSTRIDER_TEST_CHROMIUM ?? '';
  if (named !== '') {
    if (!isProgram(named)) throw new Error(`POSTRIDER_TEST_CHROMIUM names ${named}, which cannot be run.`);
    return { path: named, env: {} };
  }
  if (process.platform === 'linux' && process.arch === 'x64') return unpackChromium();
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = installedNames.flatMap((name) => folders.map((folder) => join(folder, name)));
  const installed = candidates.find(isProgram);
  if (installed !== undefined) return { path: installed, env: {} };
  throw new Error(
    `This machine (${process.platform} ${process.arch}) needs a Chrome or Chromium for the tests in a browser. ` +
      'Install one, and set POSTRIDER_TEST_CHROMIUM to the path of its program.',
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
