import { Anchor } from '@mantine/core';
import { settingsText } from '#strings/settings.ts';
import { useSession } from '../lib/session.ts';
import { FactList } from '../parts/fact-list.tsx';
import { Panel } from '../parts/panel.tsx';
import { serverUrl } from './server-url.ts';

const text = settingsText.connections;

/** The addresses of the server, to copy. */
export function Connections() {
  const { api_url, mail_domain, smtp, transport, version } = useSession().server;
  const smtpAddress = smtp.port === null ? null : `${smtp.host}:${smtp.port}`;
  const openapi = `${serverUrl(api_url)}/openapi.json`;
  const transportName = Object.hasOwn(text.transports, transport) ? text.transports[transport] : transport;
  return (
    <Panel title={text.title} about={text.about}>
      <FactList
        facts={[
          { name: text.api, value: api_url, copy: api_url },
          {
            name: text.openapi,
            value: (
              <Anchor href={openapi} target="_blank" rel="noreferrer" inherit>
                {openapi}
              </Anchor>
            ),
            copy: openapi,
          },
          smtpAddress === null
            ? { name: text.smtp, value: text.smtpOff }
            : { name: text.smtp, value: smtpAddress, copy: smtpAddress },
          { name: text.domain, value: mail_domain, copy: mail_domain },
          { name: text.transport, value: transportName },
          { name: text.version, value: version },
        ]}
      />
    </Panel>
  );
}
