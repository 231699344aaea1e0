// Schemas of qr.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import { INVALID_ARG } from './codes.ts'
import { faultIssue } from './fields.schema.ts'
import { QR_BYTES_MAX } from './qr.ts'

/** Length of a text in UTF-8 bytes. contract/ is compiled without TextEncoder. */
const utf8Length = (text: string) => encodeURIComponent(text.toWellFormed()).replace(/%../g, '.').length

/** A QR code for an SVG. */
export const QrCode = z.object({
  size: z.int().describe('Modules per side, without the quiet zone'),
  path: z.string().describe('The dark modules as the `d` attribute of a path; one unit per module, from 0 to `size`')
})

export type QrCode = z.infer<typeof QrCode>

export const qrSchemas = {
  'POST /qr/draw': {
    summary:
      'Draws a text with error correction level M. The text can contain secrets, therefore the method is POST: the text is not part of a URL, and the hub neither stores nor logs it.',
    request: z.object({
      text: z
        .string()
        .min(1)
        .superRefine((text, context) => {
          const fault = { name: 'length', min: 1, max: QR_BYTES_MAX } as const
          if (utf8Length(text) > QR_BYTES_MAX) context.addIssue(faultIssue(fault))
        })
        .max(QR_BYTES_MAX)
        .describe('up to 2331 bytes of UTF-8')
    }),
    requestNote: '`POST`, because the text can contain secrets',
    response: QrCode,
    responseNote: '`size` (modules per side), `path` (the `d` attribute of an SVG path)',
    errors: { [INVALID_ARG]: '' },
    source: 'own',
    examples: [{ text: 'srt://192.0.2.10:8000' }, { text: '演播室'.repeat(259) }]
  }
} satisfies CallSchemas
