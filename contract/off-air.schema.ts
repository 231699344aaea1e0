// Channels that an action takes off air, and the field with which a caller asks for them before the action.
import * as z from 'zod'
import { own } from './fields.schema.ts'

/**
 * What an action does to a channel on air.
 * - `stops`: the channel has nothing to send afterwards
 * - `restarts`: its stream is interrupted, and continues
 * - `outputs`: its stream continues, but these outputs and players are disconnected
 */
export const OffAirEffect = z.enum(['stops', 'restarts', 'outputs'])

export const OffAirChannel = z.object({
  id: z.int().meta(own('Id of the channel')),
  name: z.string().meta(own('Name of the channel')),
  effect: OffAirEffect.meta(
    own(
      '`stops`: it has nothing to send afterwards; `restarts`: its stream is interrupted, and continues; `outputs`: only these outputs and players are disconnected'
    )
  ),
  outputs: z
    .array(z.string())
    .meta(own('Names of the outputs with media that stop receiving. Without devices that the caller may not see')),
  viewers: z.int().meta(own('Number of players and pages that stop receiving'))
})

export type OffAirEffect = z.infer<typeof OffAirEffect>
export type OffAirChannel = z.infer<typeof OffAirChannel>

/**
 * Of a call that can take channels off air (`Call.interrupts`). The API removes it from the request before the handler
 * runs.
 */
export const dryRun = {
  'dry-run': z
    .union([z.boolean(), z.literal('if-off-air')])
    .optional()
    .describe(
      '`true`: changes nothing, and returns `off-air`. `if-off-air`: makes the change unless a channel would go off air; then 1102 with `off-air`. See [Off air](#off-air)'
    )
}

/** The same in a query string. */
export const queryDryRun = {
  'dry-run': z
    .union([z.enum(['true', 'false']).transform((value) => value === 'true'), z.boolean(), z.literal('if-off-air')])
    .optional()
    .describe(
      '`true`: changes nothing, and returns `off-air`. `if-off-air`: makes the change unless a channel would go off air; then 1102 with `off-air`. See [Off air](#off-air)'
    )
}
