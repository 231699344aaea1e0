// Schemas of preview.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import { NOT_EXIST, NOT_LOGGED_IN, TOO_MANY } from './codes.ts'
import { id, queryNumber } from './fields.schema.ts'

const previewIds = z
  .array(z.union([z.string().min(1).max(80), id]))
  .max(1000)
  .optional()

export const previewSchemas = {
  'GET /preview/open': {
    summary: 'Opens an endless multipart stream of JPEG images. The response is not JSON. `v` bypasses caches.',
    request: z.object({
      v: queryNumber(0, Number.MAX_SAFE_INTEGER).describe('any number, bypasses caches'),
      seen: queryNumber(0, 1).describe('1: the client acknowledges images'),
      save: queryNumber(0, 1).describe('1: fewer and smaller images')
    }),
    content: 'multipart/x-mixed-replace',
    responseNote: 'endless multipart stream',
    errors: { [NOT_LOGGED_IN]: '' },
    source: 'vendor; own: parameters',
    examples: [{}, { v: 1795846013071 }, { seen: 1, save: 1 }]
  },
  'POST /preview/setup': {
    summary: 'Adds and removes previews of an open stream. Ids that the caller may not see are ignored.',
    request: z.object({
      id: z.string().min(1).max(64).describe('handle id'),
      add: previewIds.describe(
        'Preview ids: `DEV-<sn>`, `CHANNEL-<id>`, `INPUT-<id>`, or of an NDI source (`ndi/preview-id.ts`). Numbers are accepted and ignored'
      ),
      del: previewIds.describe('preview ids')
    }),
    errors: { [NOT_EXIST]: "the stream is not open or not the caller's", [TOO_MANY]: '1000 ids' },
    source: 'vendor',
    examples: [{ id: 'x' }, { id: 'x', add: ['DEV-B313210600123', 1001], del: [] }]
  },
  'GET /preview/clear': {
    summary: 'Closes a preview stream.',
    request: z.object({ id: z.string().min(1).max(64) }),
    requestNote: '`id` (handle id): closes the stream',
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 'x' }]
  }
} satisfies CallSchemas
