// Schemas of the legs of a channel: its inputs and outputs.
import * as z from 'zod'
import { own, vendor } from '../fields.schema.ts'
import { ChannelHealth, InputHealth } from '../health.schema.ts'
import { LegReport } from './channel-history.schema.ts'
import { ContentReport } from './content-report.schema.ts'
import { ConfiguredFormat, StreamFormat } from './format.schema.ts'
import { SRT_MODES } from './source-url.ts'

/**
 * A caller that a leg refused: at a port of its own, or at a shared port with the key of the channel or an unknown
 * key. A key is never shown, an unknown one only with its first two characters.
 */
export const RefusedCaller = z.object({
  at: z.int().describe('When, in milliseconds since the epoch'),
  addr: z.string().optional().describe('IP address'),
  why: z.string().describe('Reason as a sentence in the language of the request')
})
/** Status of a leg: an input or output of a running channel. `kbps` is measured over the last seconds. */
export const Leg = z.object({
  id: z.int().meta(vendor('Node id of the device, input source or output; 0 for a publisher without one')),
  name: z.string().meta(vendor('Name of the device, input source or output')),
  type: z.int().meta(vendor('Node type, see [Inputs and outputs](#inputs-and-outputs)')),
  protocol: z.int().meta(vendor('Protocol bit, see [Inputs and outputs](#inputs-and-outputs)')),
  addr: z.string().meta(vendor('Address without secrets')),
  kbps: z.number().meta(vendor('Bit rate of the last seconds in kbit/s')),
  state: z.int().meta(vendor('Source state, see below')),
  'conn-state': z.int().meta(vendor('Connection state, see below')),
  'living-time-s': z.number().meta(vendor('Seconds with media without interruption', 'own: outputs')),
  'accepts-any-certificate': z
    .literal(true)
    .optional()
    .meta(own('`true`: the certificate of its TLS server is not checked (`certificate-check`)')),
  'refused-caller': RefusedCaller.optional().meta(
    own('The last caller that was refused in the last 10 minutes, while the leg waits for one; see below')
  ),
  report: LegReport.optional().meta(vendor('Statistics, see below; only in `GET /api/channel/query`'))
})
/**
 * `preview-id` is that of the device, or `CHANNEL-<id>` for a running channel: a preview of its outputs, for callers
 * that may see all devices that can be its input. A running channel without a configured input has an input of type
 * `INPUT_PUBLISHER`, for a client that publishes with its push key. Its id is 0 and its name is the address of the
 * publisher, empty while none is connected.
 */
export const ChannelInput = z.object({
  ...Leg.shape,
  sn: z.string().optional().meta(own('Serial number of a device')),
  'preview-id': z.string().optional().meta(own('Preview of the device, or `CHANNEL-<id>`')),
  hidden: z
    .literal(true)
    .optional()
    .meta(own('`true`: a device that the caller may not see; name and address are empty')),
  health: InputHealth.optional().meta(own('[Health](#health) of the leg')),
  format: StreamFormat.optional().meta(own('Inputs with media: what arrives, read from the stream itself, see below')),
  content: ContentReport.optional().meta(
    own('Inputs whose content is checked (`content` of the channel): what the checks have found, see below')
  ),
  configured: ConfiguredFormat.optional().meta(
    own(
      'Inputs with `format`, as far as known: the encoder settings of the device (`width`, `height`, `fps`, audio `channels`), the selected `program`'
    )
  )
})
/** The stream that the outputs currently receive. */
export const OnAir = z.object({
  input: z.number().nullable().describe('Node id of the input; null while no input has had media yet'),
  slate: z.boolean().describe('Whether the slate is on air because no input has media'),
  why: z.string().describe('Reason as a sentence in the language of the request'),
  manual: z
    .literal(true)
    .optional()
    .describe(
      'An operator has chosen it with `switchChannelInput`, and the failover rule does not change it while it has media'
    )
})
export const ChannelOutput = z.object({
  ...Leg.shape,
  health: ChannelHealth.optional().meta(own('[Health](#health) of the leg')),
  enable: z.boolean().meta(own('Outputs: whether the output is enabled')),
  mode: z.enum(SRT_MODES).optional().meta(vendor('SRT outputs: `caller`, `listener` or `rendezvous`')),
  'client-num': z.int().optional().meta(own('Outputs: number of connected players')),
  sn: z.string().optional().meta(own('Serial number of a device')),
  hidden: z
    .literal(true)
    .optional()
    .meta(own('`true`: a device that the caller may not see; name and address are empty'))
})

export type Leg = z.infer<typeof Leg>
export type ChannelInput = z.infer<typeof ChannelInput>
export type OnAir = z.infer<typeof OnAir>
export type ChannelOutput = z.infer<typeof ChannelOutput>
