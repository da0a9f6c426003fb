import { brand } from '@postrider/contract';

const { env, defaults, packages } = brand;

/** What `--help` prints. */
export const helpText = `Gives an AI agent email inboxes, by the Model Context Protocol over standard input and output.

  ${env.apiKey}=… npx ${packages.mcp} --drafts-only

  --drafts-only           tools that send make drafts, for a person to send
  --read-only             only tools that change nothing
  --tools a,b             only these tools
  --inbox a,b             only these inboxes, by id or address
  --allow-recipient a,b   mail goes only to these addresses and domains
  --attachments folder    files of this folder may be attached by their path
  --help, --version

  ${env.apiKey}    the API key (required)
  ${env.baseUrl}   the server, by default ${defaults.baseUrl}

An option or a value that is not understood ends the program.
`;
