// Schemas of device/config.
import * as z from 'zod'
import { vendor } from '../fields.schema.ts'

export const InputConfig = z.object({
  protocol: z.int().meta(vendor('0 global default, 1 RTMP, 2 SRT')),
  'stream-index': z.int().meta(vendor('Input: 0 main stream, 1 sub-stream')),
  latency: z.int().optional().meta(vendor('SRT latency in milliseconds, 20-8000; default 120', 'own: range'))
})
export const OutputConfig = z.object({
  protocol: z.int().meta(vendor('0 global default, 1 RTMP, 2 SRT')),
  latency: z.int().optional().meta(vendor('SRT latency in milliseconds, 20-8000; default 120', 'own: range')),
  'buffer-ms': z.int().optional().meta(vendor('Output: playback buffer in milliseconds, 1-2000', 'own: range'))
})
/** An absent half falls back to the global configuration, then to SRT, main stream, 120 ms. */
export const DeviceConfig = z.object({
  input: InputConfig.optional().meta(vendor('How the device sends to the hub. Absent in a write: cleared')),
  output: OutputConfig.optional().meta(vendor('How the device receives from the hub. Absent in a write: cleared'))
})
/** Global configuration in responses of list and query calls. */
export const GlobalConfig = z.object({
  device: DeviceConfig
})

export type InputConfig = z.infer<typeof InputConfig>
export type OutputConfig = z.infer<typeof OutputConfig>
export type DeviceConfig = z.infer<typeof DeviceConfig>
export type GlobalConfig = z.infer<typeof GlobalConfig>
