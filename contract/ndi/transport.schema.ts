// Schemas of ndi/transport.
import * as z from 'zod'
import { own } from '../fields.schema.ts'

/** Fields of the transport, as in an NDI output and in a preset. */
export const NdiTransportFields = z.object({
  'transport-mode': z.number().optional().meta(own('As those of an NDI output. The sender chooses address')),
  'mcast-ip': z.string().optional().meta(own('Mask and time to live of multicast: the hub stores those of a preset')),
  'mcast-sub-mask': z.string().optional().meta(own('For other devices')),
  'mcast-time-to-live': z.number().optional().meta(own('And receives without them'))
})

export type NdiTransportFields = z.infer<typeof NdiTransportFields>
