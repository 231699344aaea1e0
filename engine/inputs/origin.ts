// Where an input comes from: a URL, an NDI source, a publisher at a shared port, or a device that is ordered to push.

import type { PushSettings, WantedInput } from '../interfaces/channel.ts'
import type { Launch, Process } from '../interfaces/launcher.ts'
import type { InputCommand } from '../interfaces/legs.ts'
import type { Relay } from '../interfaces/relay.ts'

export interface Origin {
  /** Whether it is a device, which only pushes when ordered. */
  isDevice: boolean
  /** Changes the settings for the next command. Returns whether they differ from the current ones. */
  changePushSettings(push: PushSettings | undefined): boolean
  /** Whether the input can be started: the device is online, or the publisher connected. */
  isAvailable(): boolean
  /** Prepares the next run. Rejects if that is not possible. */
  command(): Promise<InputCommand>
  /** Starts to receive into the relay. */
  run(launch: Launch, relay: Relay): Promise<Process>
  /** Called when the run has started, to make the other end send. Rejects if it refuses. */
  onStarted(): Promise<void>
  /** Makes the other end stop sending. Never rejects. */
  release(): Promise<void>
}

/** Identifies an input. Inputs with the same key are one, because a device pushes once and a port listens once. */
export const inputKey = (input: WantedInput): string =>
  input.program === undefined ? originKey(input) : `${originKey(input)} program ${input.program}`

/**
 * Identifies the origin of an input: of the inputs with other programs of the same origin, one must stop before another
 * starts.
 */
export function originKey(input: WantedInput): string {
  if (input.kind === 'pushed') return `pushed ${input.channel}`
  if (input.kind === 'ndi') return `ndi ${JSON.stringify(input.source)}`
  if (input.kind === 'device') return `device ${input.sn}`
  const { url, 'certificate-check': check, 'trusted-certificates': trusted } = input
  return `url ${JSON.stringify(check ? [url, check, trusted] : url)}`
}
