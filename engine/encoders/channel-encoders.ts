// The encoders of one channel: one for each profile that an output wants.
import type { WantedOutput } from '../interfaces/channel.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { Stream } from '../interfaces/relay.ts'
import { audioProfile, profileKey } from './audio-profile.ts'
import { EncodedStream, type EncoderParts } from './encoded-stream.ts'

export class ChannelEncoders {
  /** By key of the profile. */
  readonly #encoders = new Map<string, EncodedStream>()

  /** The stream for an output: that of the channel, or an encoded one, whose encoder is created if there is none. */
  streamFor(output: WantedOutput, stream: Stream, context: EncoderParts): Stream {
    const profile = audioProfile(output)
    if (!profile) return stream
    const key = profileKey(profile)
    const encoder = this.#encoders.get(key) ?? new EncodedStream(profile, context)
    this.#encoders.set(key, encoder)
    encoder.attach(stream)
    return encoder
  }

  /** Stops encoders that no output uses. Returns what resolves when each has ended. */
  stopUnused(outputs: readonly WantedOutput[]): Promise<void>[] {
    const used = new Set(outputs.map(audioProfile).flatMap((profile) => (profile ? profileKey(profile) : [])))
    return [...this.#encoders].flatMap(([key, encoder]) => {
      if (used.has(key)) return []
      this.#encoders.delete(key)
      return encoder.stop()
    })
  }

  /** Why the encoder of an output encodes nothing. */
  problem(output: WantedOutput): Failure | undefined {
    const profile = audioProfile(output)
    return profile && this.#encoders.get(profileKey(profile))?.problem()
  }

  tick(now: number): void {
    for (const encoder of this.#encoders.values()) encoder.tick(now)
  }
}
