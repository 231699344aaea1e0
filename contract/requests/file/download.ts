// Request schemas of downloads by ticket.
import * as z from 'zod'
import { addDownloadTicket, downloadFile } from '../../file/download.ts'
import { exportLogFields } from '../log.ts'
import { defineSchema } from '../schema.ts'

defineSchema(
  addDownloadTicket,
  z.discriminatedUnion('kind', [z.object({ kind: z.literal('log'), ...exportLogFields })])
)
defineSchema(downloadFile, z.object({ ticket: z.string().max(64) }))
