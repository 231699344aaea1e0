// The inputs of all channels. Inputs with the same origin are one, which several channels use.
import { Input, type InputParts } from '../inputs/input.ts'
import { inputKey, originKey } from '../inputs/origin.ts'
import type { WantedInput } from '../interfaces/channel.ts'

import type { Releases } from './releases.ts'

export class InputPool {
  readonly #context: InputParts
  readonly #releases: Releases
  /** By key, with the origin, and the channels and input IDs that use it. */
  readonly #inputs = new Map<string, { input: Input; origin: string; users: Set<string> }>()

  /** Media sockets of relays of the engine before, by key of the input that continues them. */
  readonly #continued = new Map<string, string>()

  constructor(context: InputParts, releases: Releases) {
    this.#context = context
    this.#releases = releases
  }

  /** Returns the input for a channel. Creates it for its first user. */
  acquire(channelId: number, wanted: WantedInput): Input {
    const key = inputKey(wanted)
    let shared = this.#inputs.get(key)
    if (!shared) {
      const input = new Input(wanted, this.#context, this.#continued.get(key))
      this.#continued.delete(key)
      shared = { input, origin: originKey(wanted), users: new Set() }
      this.#inputs.set(key, shared)
    }
    shared.users.add(`${channelId} ${wanted.id}`)
    return shared.input
  }

  /** Lets an input that is not running yet continue the relay of another engine. @param path media socket */
  continue(key: string, path: string): void {
    if (!this.#inputs.has(key)) this.#continued.set(key, path)
  }

  /** Whether an input continues the relay of another engine, or is to do so. */
  isContinued(key: string): boolean {
    return this.#continued.has(key) || this.#inputs.get(key)?.input.sourceAddress() !== undefined
  }

  /** The inputs that only these channels use. */
  usedOnlyBy(channelIds: readonly number[]): Input[] {
    const isUser = (user: string) => channelIds.includes(Number(user.split(' ')[0]))
    return [...this.#inputs.values()].flatMap(({ input, users }) => ([...users].every(isUser) ? [input] : []))
  }

  /** Ends the use by a channel. Stops the input after its last user. */
  release(channelId: number, inputId: number, { key }: Input): void {
    const shared = this.#inputs.get(key)
    if (!shared) return
    shared.users.delete(`${channelId} ${inputId}`)
    if (shared.users.size > 0) return
    this.#inputs.delete(key)
    this.#releases.add(shared.input.stop(), shared.origin)
  }

  /** Tells the inputs of a device, or of a channel's publisher, that their origin appeared or disappeared. */
  notifyOriginChange(wanted: WantedInput): void {
    for (const { input, origin } of this.#inputs.values()) if (origin === originKey(wanted)) input.onOriginChange()
  }

  /** Whether the input of a device carries media. */
  isDeviceActive(sn: string): boolean {
    return this.#inputs.get(originKey({ id: 0, name: '', kind: 'device', sn }))?.input.isActive() ?? false
  }

  /** Call about twice a second. */
  tick(now: number): void {
    for (const { input } of this.#inputs.values()) input.tick(now)
  }
}
