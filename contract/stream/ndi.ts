// NDI discovery: sources that are announced on the network. A discovered source is a node without an id; it gets one
// when it is saved as an input with the same `config`, which is a preset (`ndi/preset.ts`).

import { INPUT_OUTPUT_VIEW, NDI_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'

export type { MissingNdiSource, NdiSource, NdiSourceList, NdiSourceUse } from './ndi.schema.ts'

export const listNdiSources = declareCall('GET /ndi/source/list', INPUT_OUTPUT_VIEW | NDI_VIEW)
