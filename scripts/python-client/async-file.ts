import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../python/postrider/_resources.py', import.meta.url));

/** The differences, from the first line to the last. */
const changes: [RegExp, string][] = [
  [
    /^"""The resources of a client,/,
    '# Generated from _resources.py by scripts/python-client.ts. Do not edit.\n"""The resources of a client that awaits,',
  ],
  [
    /^from \._caller import Caller$/m,
    'from ._async_caller import AsyncCaller\nfrom ._async_stream import AsyncStream',
  ],
  [/^from \._generated\.resources import/m, 'from ._generated.async_resources import'],
  [/^ {4}(\w+Methods),$/gm, '    Async$1,'],
  [
    /^from \._places import After$/m,
    'from ._places import After\nfrom ._resources import event_filters, id_of, mail_filters',
  ],
  [
    /^from typing import Any, Iterable, List, Mapping, Optional, Union, cast$/m,
    'from typing import Iterable, List, Mapping, Optional, Union',
  ],
  [/^class (\w+)\((\w+)Methods\)/gm, 'class Async$1(Async$2Methods)'],
  [/caller: Caller, secret/, 'caller: AsyncCaller, secret'],
  [
    /return self\._caller\.wait\(\s+None,(\s+lambda caller, work: \w+Stream\()/g,
    'return AsyncStream(\n            self._caller,$1',
  ],
  [/\) -> EventStream:/, ') -> AsyncStream[Event]:'],
  [/\) -> MessageStream:/, ') -> AsyncStream[Message]:'],
  [/^ {4}def (download|get_or_create|ensure|wait_for\w*)\(/gm, '    async def $1('],
  [/return self\._caller\.(run|wait)\(/g, 'return await self._caller.$1('],
  [/\n\n\ndef id_of[\s\S]*$/, '\n'],
];

/** Returns the resources of the client that awaits, which are those of the one that blocks with other bases. */
export function asyncResourcesFile(): string {
  return changes.reduce(
    (text, [from, to]) => {
      if (text.search(from) < 0) throw new Error(`_resources.py has nothing like ${from}`);
      return text.replace(from, to);
    },
    readFileSync(source, 'utf8'),
  );
}
