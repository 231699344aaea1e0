// Which inputs of a channel are checked for faults of their content.
import { CONTENT_CHECKS } from '../../contract/stream/content-checks.ts'
import type { CheckedInput, ContentChecks } from '../content/content-checks.ts'
import type { Input } from '../inputs/input.ts'
import type { Channel } from './channel.ts'

/** Checks the inputs of all channels. Call about twice a second. */
export function checkContent(channels: readonly Channel[], checks: ContentChecks, now: number): void {
  const wanted = new Map<string, CheckedInput>()
  for (const channel of channels)
    for (const [id, checked] of checkedInputs(channel, now)) wanted.set(checkKey(channel, id), checked)
  checks.tick(wanted)
  for (const channel of channels) {
    channel.content.clear()
    for (const id of [channel.inputId, ...channel.backups.keys()]) {
      const found = checks.find(checkKey(channel, id))
      if (found) channel.content.set(id, found)
    }
  }
}

const checkKey = ({ wanted }: Channel, inputId: number) => `${wanted.id} ${inputId}`

/** The input on air; all of them, if a fault of its content puts another one on air. */
function checkedInputs(channel: Channel, now: number): [id: number, checked: CheckedInput][] {
  const { input: first, inputId, backups, inputSwitch } = channel
  const settings = channel.wanted.content
  const enabled = CONTENT_CHECKS.filter((check) => settings?.[check].enable)
  if (!settings || !first || enabled.length === 0) return []
  const inputs: [id: number, input: Input][] = [[inputId, first], ...backups]
  const onAir = inputSwitch ? inputSwitch.currentInput() : first
  const hasFailover = enabled.some((check) => settings[check].failover)
  return inputs
    .filter(([, input]) => hasFailover || input === onAir)
    .map(([id, input]) => [id, { input, settings, format: input.observe(now).format }])
}
