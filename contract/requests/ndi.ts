import * as z from 'zod'
import { listNdiSources } from '../stream/ndi.ts'
import { page, shape, text } from './shape.ts'

shape(listNdiSources, z.object({ ...page, key: text.optional() }))
