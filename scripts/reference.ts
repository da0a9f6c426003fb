import { writeOrCheck } from './generated-file.ts';
import { allPages } from './reference/all-pages.ts';

await writeOrCheck('reference', allPages());
