// Reads the hello with which a hub registers. The client is not authenticated yet: anything that does not match the
// contract is refused.
import * as z from 'zod'
import { type HubHello, ORGANISATION_NAME } from '../../contract/cloud/link.ts'
import { SERIAL_NUMBER } from '../../contract/device/link.ts'
import { decodeHello } from '../../device-link/decode-hello.ts'
import { helloText } from '../../device-link/hello-text.ts'

const shape: z.ZodType<HubHello> = z.object({
  organisation: z.string().regex(ORGANISATION_NAME),
  sn: z.string().regex(SERIAL_NUMBER),
  name: helloText,
  version: helloText,
  key: z.string().regex(/^[0-9a-f]{64}$/),
  code: z.string().max(64),
  instance: z
    .string()
    .regex(/^[\w-]{8,64}$/)
    .optional(),
  registered: z.boolean().optional()
})

/** @returns undefined if the header is missing, too long, not base64url of UTF-8 JSON, or has an invalid field */
export const readHubHello = (header: string | undefined): HubHello | undefined =>
  shape.safeParse(decodeHello(header)).data
