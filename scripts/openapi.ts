import { buildManagementOpenApi } from '../contract/src/management/openapi.ts';
import { buildOpenApi } from '../contract/src/openapi.ts';
import { writeOrCheck } from './generated-file.ts';

await writeOrCheck('openapi', [
  { path: 'openapi.json', text: `${JSON.stringify(buildOpenApi(), null, 2)}\n` },
  { path: 'management.openapi.json', text: `${JSON.stringify(buildManagementOpenApi(), null, 2)}\n` },
]);
