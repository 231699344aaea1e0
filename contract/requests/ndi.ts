// Request schemas of the calls for NDI.
import * as z from 'zod'
import { listNdiSources } from '../stream/ndi.ts'
import { defineSchema, page, text } from './schema.ts'

defineSchema(listNdiSources, z.object({ ...page, key: text.optional() }))
