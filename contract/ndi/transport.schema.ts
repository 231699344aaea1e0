// Schemas of ndi/transport.
import * as z from 'zod'
import { own } from '../fields.schema.ts'

/** Fields of the transport, as in an NDI output and in a preset. */
export const NdiTransportFields = z.object({
  'transport-mode': z
    .number()
    .optional()
    .meta(
      own(
        'Transport of the media, 0-5, see [Inputs and outputs](#inputs-and-outputs); absent: what the NDI runtime prefers'
      )
    ),
  'mcast-ip': z
    .string()
    .optional()
    .meta(
      own(
        'Multicast address. Of a preset: only stored, for other devices; the hub receives at the address of the sender'
      )
    ),
  'mcast-sub-mask': z.string().optional().meta(own('Subnet mask of the multicast addresses. Of a preset: only stored')),
  'mcast-time-to-live': z
    .number()
    .optional()
    .meta(own('Time to live of multicast packets, 1-255. Of a preset: only stored'))
})

export type NdiTransportFields = z.infer<typeof NdiTransportFields>
