// Request schemas of the calls for the visibility of channels.
import * as z from 'zod'
import { getGlobalChannel, setChannelSecurity, setGlobalChannel } from '../stream/channel-security.ts'
import { masks, security } from './device.ts'
import { defineSchema, emptyRequest, ids } from './schema.ts'

defineSchema(setChannelSecurity, z.object({ id: ids, security }))
defineSchema(getGlobalChannel, emptyRequest)
defineSchema(setGlobalChannel, z.object({ security: z.object(masks) }))
