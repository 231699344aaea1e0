// Schemas of device/status.
import * as z from 'zod'
import { own, vendor } from '../fields.schema.ts'
import { ConfiguredFormat } from '../stream/format.schema.ts'
import { ActionError } from './live.schema.ts'

/**
 * The stream that the hub requested from a device, as the hub receives it. Independent of the device's own status
 * report.
 */
export const IngestStatus = z.object({
  'conn-state': z
    .int()
    .describe('Connection state, see [Channels](#channels); connected only if bytes were received in the last seconds'),
  kbps: z.number().optional().describe('Received kbit/s; not in lists'),
  reason: z.string().optional().describe('Why there is no stream, in the language of the request')
})
/** A state as the hub presents it. Used for states that only the hub or the device defines. */
export const StatusInfo = z.object({
  tone: z.enum(['good', 'busy', 'warn', 'bad', 'off']).meta(own('Severity, which selects the colour')),
  text: z.string().meta(own('Text in the language of the request'))
})
/** State of the last firmware update of a device. */
export const DeviceUpdate = z.object({
  ...StatusInfo.partial().shape,
  state: z.int().describe('Step of the update: -1 failed, 0 idle, 1 waiting, 2 updating, 3 installing, 4 restarting'),
  progress: z.int().describe('Percent of the current step'),
  reason: z
    .number()
    .optional()
    .describe('If `state` is `failed`: result code of the failure; 42 = cancelled before it started')
})
/** A video input or output of a device. */
export const DevicePort = z.object({
  name: z
    .string()
    .describe(
      'Name from the device or from its API documentation: `HDMI`, `SDI`, `NDI`. Empty for a port without a name'
    ),
  signal: z
    .string()
    .describe(
      'Signal at the port: a format such as `1920x1080p60`, `no-signal`, or another state of the device, `locking` or `unconnected`'
    )
})
/** Settings of an encoder. */
export const EncoderSettings = ConfiguredFormat.omit({ program: true })
/**
 * One of several recordings or streams that a device runs at the same time. `tone` and `text` are set in single-device
 * responses only.
 */
export const DeviceSession = z.object({
  ...StatusInfo.partial().shape,
  id: z.int().describe('Id of the recording or stream on the device'),
  type: z.int().optional().describe('Of a stream: number of the type of its server, as in the API of the device'),
  name: z.string().optional().describe('Name of the recording or stream'),
  use: z.boolean().optional().describe('Whether it is switched on'),
  result: z
    .number()
    .optional()
    .describe('State: a code of `ultra-codes.ts`, or 22 connected, 23 connecting, 24 waiting, 25 authorising, 27 idle'),
  reason: ActionError.optional().describe('The error that `result` stands for, if there is one'),
  'run-ms': z.number().optional().describe('Milliseconds since it started'),
  bps: z.number().optional().describe('Bit rate in bits per second')
})
/** Recording or live stream as reported by the device. `tone` and `text` are set in single-device responses only. */
export const DeviceActivity = z.object({
  ...StatusInfo.partial().shape,
  on: z.boolean().describe('Whether the device records or streams now'),
  'run-ms': z.int().optional().describe('Milliseconds since it started'),
  result: z.number().optional(),
  reason: ActionError.optional().describe('The error that `result` stands for, if there is one'),
  sessions: z.array(DeviceSession).optional()
})
/** A disk of a device. `text` includes the free space if it is known. */
export const DeviceDisk = z.object({
  ...StatusInfo.partial().shape,
  kind: z.enum(['usb', 'sd', 'nas']).describe('`sd`: an SD card or built-in storage'),
  state: z
    .enum(['ok', 'full', 'invalid', 'none'])
    .describe('`none`: the slot is empty. `invalid`: the disk cannot be used. `full`: at least 99 % is used'),
  total: z.int().optional().describe('Size in MB'),
  free: z.number().optional().describe('Free space in MB'),
  label: z.string().optional().describe('Name of the disk'),
  'free-sec': z.number().optional().describe('Remaining recording time in seconds')
})
/** Last status report of a device. A field is absent if the device did not report it. */
export const DeviceStatus = z.object({
  'cur-status': z
    .number()
    .optional()
    .meta(
      vendor(
        'Running mask of the device. Bits that the hub reads: 0x2 `recording`, 0x4 `streaming`, 0x4000 `updating`, 0x8000 `streamTest`, 0x20000000 `rebooting`, 0x40000000 `serverTest`'
      )
    ),
  cpu: z.array(z.number()).optional().meta(vendor('CPU load in percent, up to 24 samples, oldest first')),
  'eth-rx': z.array(z.number()).optional().meta(vendor('Received bits per second, up to 24 samples, oldest first')),
  'eth-tx': z.array(z.number()).optional().meta(vendor('Sent bits per second, up to 24 samples, oldest first')),
  eth: z.string().optional().meta(vendor('IP address of the Ethernet port')),
  wifi: z.string().optional().meta(own('IP address in the Wi-Fi network')),
  mobile: z.string().optional().meta(own('IP address in the mobile network')),
  softap: z.string().optional().meta(own('IP address in the Wi-Fi network that the device provides itself')),
  rndis: z.string().optional().meta(own('IP address of the network over USB')),
  mac: z.string().optional().meta(own('MAC address of the Ethernet port')),
  'link-speed': z.number().optional().meta(own('Speed of the Ethernet port in Mbps; 0 = no cable')),
  'http-port': z.int().optional().meta(own("Port of the device's web page over HTTP")),
  'https-port': z.int().optional().meta(own("Port of the device's web page over HTTPS")),
  'up-time': z.int().optional().meta(own('Seconds since the device started')),
  temperature: z.number().optional().meta(own('Temperature of the device in degrees Celsius')),
  memory: z.number().optional().meta(own('Memory in use in percent')),
  'fan-rpm': z.number().optional().meta(own('Speed of the fan in revolutions per minute')),
  inputs: z.array(DevicePort).optional().meta(own('Video inputs')),
  outputs: z.array(DevicePort).optional().meta(own('Video outputs')),
  encoder: EncoderSettings.optional().meta(
    own('Settings of the main stream of the encoder: `width`, `height`, `fps`, audio `channels`')
  ),
  recording: DeviceActivity.optional().meta(
    own(
      '`on`, `run-ms`, `result`, `reason`, `sessions` (`id`, `type`, `name`, `use`, `result`, `reason`, `run-ms`, `bps`, `tone`, `text`), `tone`, `text`'
    )
  ),
  live: DeviceActivity.optional().meta(
    own(
      '`on`, `run-ms`, `result`, `reason`, `sessions` (`id`, `type`, `name`, `use`, `result`, `reason`, `run-ms`, `bps`, `tone`, `text`), `tone`, `text`'
    )
  ),
  disks: z
    .array(DeviceDisk)
    .optional()
    .meta(
      own(
        '`kind` (`usb`, `sd`, `nas`), `state` (`ok`, `full`, `invalid`, `none`), `total` and `free` in MB, `label`, `free-sec`, `tone`, `text`'
      )
    ),
  tally: z
    .object({
      preview: z.boolean(),
      program: z.boolean()
    })
    .optional()
    .meta(own("`preview`, `program`: a video mixer has the device's NDI source there"))
})

export type IngestStatus = z.infer<typeof IngestStatus>
export type StatusInfo = z.infer<typeof StatusInfo>
export type DeviceUpdate = z.infer<typeof DeviceUpdate>
export type DevicePort = z.infer<typeof DevicePort>
export type EncoderSettings = z.infer<typeof EncoderSettings>
export type DeviceSession = z.infer<typeof DeviceSession>
export type DeviceActivity = z.infer<typeof DeviceActivity>
export type DeviceDisk = z.infer<typeof DeviceDisk>
export type DeviceStatus = z.infer<typeof DeviceStatus>
