import type { AnyErrorCode } from '@postrider/contract';
import { consolePath } from '@postrider/contract/console';
import type { Request, RequestHandler, Response } from 'express';
import { linkExpiry } from '../attachments/attachment.view.ts';
import { getAttachment } from '../attachments/find-attachment.ts';
import { type Context, contextOf } from '../context.ts';
import type { Deps } from '../deps.ts';
import { signFileToken } from '../files/signed-url.ts';
import type { AnswersInPage } from '../http/errors.ts';
import { ApiError, invalidField, notFound, unavailable } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { frameHeaders } from '../mail/show/frame-headers.ts';
import { createNonce, measurePage } from '../mail/show/measure-page.ts';
import type { ShownMail } from '../mail/show/render-html-mail.ts';
import type { MessageDetails } from '../messages/message-details.ts';
import { readMessage } from '../messages/message-details.ts';
import { requireGrant, serveDownload } from '../messages/serve-download.ts';
import { signedInMember } from './signed-in.ts';

/** The path of frames with HTML mail: `<workspace>/<message>` follows, and images are below `images/`. */
export const framesPath = `${consolePath}/mail`;

const cutHeader = 'x-mail-cut';
const hiddenHeader = 'x-mail-hidden';
/** Pixel images only. SVG is a document. */
const rasterTypes = /^image\/(?:png|jpe?g|gif|webp|bmp|avif)$/i;

/**
 * Responds with the page of an HTML mail, for a frame. `?images=1` lets the page load images from other servers. The header `x-images-held`
 * has the number of places whose image was not loaded, and `x-mail-cut` marks a mail that the page does not show in full. With `?hidden=1`,
 * `x-mail-hidden` has the texts that the page does not show to everyone, as percent-encoded JSON of `HiddenPart`. If the person cannot see
 * the message or it has no HTML, responds with 404 and a page that says so in words; all other errors have such a page, too.
 *
 * @throws ApiError `not_signed_in`; `unavailable` if the page cannot be rendered right now.
 */
export async function serveMailFrame(deps: Deps, req: Request, res: Response): Promise<void> {
  signedInMember(res);
  await serveFrame(deps, contextOf(res), { messageId: String(req.params.message), req, res });
}

/**
 * Responds as `serveMailFrame` to a path of `linkedFramePath`.
 *
 * @throws ApiError `not_found` as `requireGrant`.
 */
export async function serveLinkedFrame(
  deps: Deps,
  req: Request<{ token: string }>,
  res: Response,
): Promise<void> {
  const grant = await requireGrant(deps, req.params.token, 'frames of mail');
  if (!isId('msg', grant.fileId)) throw notFound(null);
  const ctx = { ...deps, workspaceId: grant.workspaceId, scope: wholeWorkspace };
  await serveFrame(deps, ctx, { messageId: grant.fileId, req, res });
}

interface AskedFrame {
  messageId: string;
  req: Pick<Request, 'query' | 'protocol' | 'get'>;
  res: Response;
}

async function serveFrame(
  deps: Deps,
  ctx: Pick<Context, 'db' | 'memory' | 'workspaceId' | 'scope' | 'readLimiter'>,
  { messageId, req, res }: AskedFrame,
): Promise<void> {
  const remoteImages = req.query.images === '1';
  const found = await ctx.readLimiter.run(ctx.workspaceId, () =>
    readMessage(ctx, messageId, 'message').catch(nullIfMissing),
  );
  const html = found?.row.body_html ?? null;
  const nonce = createNonce();
  if (found === null || html === null) {
    res.status(notFound('message').status).set(frameHeaders({ remoteImages: false, nonce }));
    return void res.send(wordsPage('This message no longer exists, or it has no formatted text.', nonce));
  }
  const { row, attachments } = found;
  const shown = await deps.parser.showHtml(
    html,
    {
      title: row.subject,
      lang: 'en',
      remoteImages,
      inlineImages: linkInlineImages(deps, attachments),
      findsHidden: req.query.hidden === '1',
      nonce,
    },
    ctx.workspaceId,
  );
  res.set(frameHeaders({ remoteImages, imageSources: [imagesUrl(req)], nonce }));
  if ('failed' in shown) {
    if (!shown.isFinal) throw unavailable(shown.detail);
    return void res
      .set(cutHeader, '1')
      .send(wordsPage('This mail is too complex to show. Read its plain text instead.', nonce));
  }
  setCounts(res, shown);
  res.send(shown.document);
}

function nullIfMissing(error: unknown): null {
  if (error instanceof ApiError && error.code === 'not_found') return null;
  throw error;
}

function setCounts(res: Response, { remoteImagesHeld, cut, hidden }: ShownMail): void {
  res.set('x-images-held', String(remoteImagesHeld));
  if (cut) res.set(cutHeader, '1');
  if (hidden.length > 0) res.set(hiddenHeader, encodeURIComponent(JSON.stringify(hidden)));
}

/**
 * Returns the links of inline images by their Content-ID. The page of a mail has its own origin, and so no cookie: the link itself is the
 * permission, and expires soon.
 */
function linkInlineImages(deps: Deps, attachments: MessageDetails['attachments']): Record<string, string> {
  const expiresAt = linkExpiry(deps);
  const images = attachments.filter(({ content_id, mime_type }) => content_id && rasterTypes.test(mime_type));
  return Object.fromEntries(
    images.map(({ id, workspace_id, content_id }) => [
      content_id?.replace(/^<|>$/g, ''),
      `${framesPath}/images/${signFileToken(deps.keys, { workspaceId: workspace_id, fileId: id, expiresAt })}`,
    ]),
  );
}

/** Responds with an inline image of a mail, by a signed link. Any page may embed it, because that of the mail has no origin. */
export async function serveMailImage(
  deps: Deps,
  req: Request<{ token: string }>,
  res: Response,
): Promise<void> {
  const grant = await requireGrant(deps, req.params.token);
  if (!isId('att', grant.fileId)) throw notFound(null);
  const file = await getAttachment(
    { ...deps, workspaceId: grant.workspaceId, scope: wholeWorkspace },
    grant.fileId,
    null,
  );
  if (!rasterTypes.test(file.mime_type)) throw notFound(null);
  res.set({
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': "sandbox; default-src 'none'",
  });
  await serveDownload(deps, req, res);
}

/** Returns where the images are, as a source of a policy. */
function imagesUrl(req: Pick<Request, 'protocol' | 'get'>): string {
  const base = `${req.protocol}://${req.get('host')}`;
  // The characters of a policy are allowed in a host.
  if (!URL.canParse(base) || !/^[\w.:[\]-]+$/.test(new URL(base).host))
    throw invalidField('host', 'is not the name of a host');
  return `${new URL(base).origin}${framesPath}/images/`;
}

/** Has the errors of a frame sent as pages, because people see them. */
export const answerInFrame: RequestHandler = (_req, res, next) => {
  (res.locals as AnswersInPage).answerInPage = (response, error) => {
    const nonce = createNonce();
    const words = wordsFor[error.code] ?? 'This mail cannot be shown right now. Try again in a moment.';
    response
      .status(error.status)
      .set({ ...frameHeaders({ remoteImages: false, nonce }), ...error.headers })
      .send(wordsPage(words, nonce));
  };
  next();
};

const wordsFor: Partial<Record<AnyErrorCode, string>> = {
  not_signed_in: 'You are signed out. Sign in again to read this mail.',
  not_found: 'This link no longer works. Reload the page.',
};

/** The same as the texts of the console next to the frame. */
const wordsStyle = 'body{margin:16px;color:#495057;font:14px/1.5 system-ui,sans-serif}';

function wordsPage(text: string, nonce: string): string {
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8">${measurePage(nonce)}<title>Not shown</title><style>${wordsStyle}</style></head><body><p>${text}</p></body></html>\n`;
}
