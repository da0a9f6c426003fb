import { brand, eventStream, realtimeCloseCodes } from '../../contract/src/index.ts';
import { clientRoutes } from '../sdk-types/contract-schemas.ts';
import { fileHead, literalText } from './type-text.ts';

/** Returns the file with all routes, and with everything that has the name of the product. */
export function routesFile(version: string): string {
  const { packages, headers, webhookSecretPrefix, env, defaults } = brand;
  const rows = clientRoutes.map((route) => {
    const { name, method, path, items, takesAttachments, takesClientId, continuesAfter } = route;
    const values = [method, path, items, takesAttachments, takesClientId, continuesAfter].map(literalText);
    return `    ${literalText(name)}: Route(${values.join(', ')}),\n`;
  });
  return `${fileHead}
from typing import Dict, NamedTuple, Optional


class Route(NamedTuple):
    """A route of the API."""

    method: str
    path: str
    items: Optional[str]
    """The field of a page that has its items."""
    takes_attachments: bool
    takes_client_id: bool
    continues_after: bool
    """Whether \`after\` instead of \`cursor\` asks for the next page."""


ROUTES: Dict[str, Route] = {
${rows.join('')}}

VERSION = ${literalText(version)}
USER_AGENT = ${literalText(`${packages.sdk}-python/${version}`)}
LOGGER_NAME = ${literalText(packages.sdk)}
DEFAULT_BASE_URL = ${literalText(defaults.baseUrl)}
ENV_API_KEY = ${literalText(env.apiKey)}
ENV_BASE_URL = ${literalText(env.baseUrl)}
ENV_WEBHOOK_SECRET = ${literalText(env.webhookSecret)}
SIGNATURE_HEADER = ${literalText(headers.signature)}
EVENT_HEADER = ${literalText(headers.event)}
WEBHOOK_SECRET_PREFIX = ${literalText(webhookSecretPrefix)}
EVENT_STREAM_TYPE = ${literalText(eventStream.contentType)}
EVENT_STREAM_END = ${literalText(eventStream.endEvent)}
TOO_SLOW_CODE = ${realtimeCloseCodes.tooSlow.code}
`;
}
