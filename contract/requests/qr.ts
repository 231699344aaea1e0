import * as z from 'zod'
import { drawQr, QR_BYTES_MAX } from '../qr.ts'
import { issueOf, shape } from './shape.ts'

/** Bytes of a text in UTF-8. Contract knows no TextEncoder. */
const bytesOf = (text: string) => encodeURIComponent(text.toWellFormed()).replace(/%../g, '.').length

shape(
  drawQr,
  z.object({
    text: z
      .string()
      .min(1)
      .superRefine((text, context) => {
        const fault = { name: 'length', min: 1, max: QR_BYTES_MAX } as const
        if (bytesOf(text) > QR_BYTES_MAX) context.addIssue(issueOf(fault))
      })
      .max(QR_BYTES_MAX)
  })
)
