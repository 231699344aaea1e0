// Request schemas of the calls for QR codes.
import * as z from 'zod'
import { drawQr, QR_BYTES_MAX } from '../qr.ts'
import { defineSchema, faultIssue } from './schema.ts'

/** Length of a text in UTF-8 bytes. contract/ is compiled without TextEncoder. */
const utf8Length = (text: string) => encodeURIComponent(text.toWellFormed()).replace(/%../g, '.').length

defineSchema(
  drawQr,
  z.object({
    text: z
      .string()
      .min(1)
      .superRefine((text, context) => {
        const fault = { name: 'length', min: 1, max: QR_BYTES_MAX } as const
        if (utf8Length(text) > QR_BYTES_MAX) context.addIssue(faultIssue(fault))
      })
      .max(QR_BYTES_MAX)
  })
)
