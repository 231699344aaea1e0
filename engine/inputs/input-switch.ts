// Puts what a channel gives its outputs together from several inputs and a still picture, as one stream that they take as that of
// one input. All inputs are connected all the time: only of one that carries can it be known that it could take over, and an SRT
// listener or a device takes seconds to come.
import type { SwitchRule } from '../../contract/stream/channel.ts'
import type { OnAirObserved } from '../interfaces/channel.ts'
import type { Surroundings } from '../interfaces/engine-context.ts'
import { createSplice } from '../mpegts/splice.ts'
import type { Input, Stream, Tap } from './input.ts'
import { makeSlate, playSlate, type SlatePlayer, slateTypes } from './slate.ts'
import { type Candidate, type Choice, carries, choose, NOTHING_YET } from './switch-rule.ts'

export interface SwitchboardSetting {
  /** For the still picture. */
  name: string
  /** The first input and the backups, by their ids. */
  inputs: readonly { id: number; input: Input }[]
  rule: SwitchRule
  slate: boolean
}

export interface Switchboard {
  /** What is on air. */
  readonly stream: Stream
  /** Other inputs or another rule. What is on air stays so where it can. */
  set(setting: SwitchboardSetting): void
  view(): OnAirObserved
  /** The input on air. */
  input(): Input | undefined
  /** Call about twice a second. */
  tick(): void
  stop(): void
}

interface Source extends Candidate {
  id: number
  input: Input
  tap: Tap
}

/** @param switched something else is on air now */
export function createSwitchboard(
  first: SwitchboardSetting,
  around: Pick<Surroundings, 'launcher' | 'now' | 'changed'>,
  switched: (onAir: OnAirObserved) => void
): Switchboard {
  const { launcher, now } = around
  const taps = new Set<Tap>()
  const began = now()
  let setting = first
  let sources: Source[] = []
  let choice: Choice = NOTHING_YET
  let clip: { made: string; bytes: Promise<Buffer | undefined> } | undefined
  let player: SlatePlayer | undefined
  let stopped = false
  /** The first input is another one, which has not been on air yet. */
  let fresh = false
  /** No still picture can be made. */
  let broken = false

  const splice = createSplice(
    {
      media(data, starts, tables) {
        for (const tap of taps) tap.media(data, starts, tables)
      },
      different() {
        for (const tap of taps) tap.over()
      }
    },
    now
  )

  function connect(id: number, input: Input): Source {
    const source: Source = {
      id,
      input,
      last: undefined,
      since: 0,
      tap: {
        media(data, starts, tables) {
          const at = now()
          if (!carries(source, at, setting.rule)) source.since = at
          source.last = at
          if (choice.slate || sources[choice.place ?? -1] !== source) decide(starts.length > 0 ? source : undefined)
          if (!choice.slate && sources[choice.place ?? -1] === source) splice.take(data, starts, tables)
        },
        over() {
          if (!choice.slate && sources[choice.place ?? -1] === source) splice.cut()
        }
      }
    }
    input.taps.add(source.tap)
    return source
  }

  /** @param ready one that a decoder can start with this moment */
  function decide(ready?: Source): void {
    if (stopped) return
    const before = choice
    const { rule, slate } = setting
    const next = choose(before, sources, { now: now(), began, rule, slate: slate && !broken, fresh })
    // What carries stays on air until the first input can follow without a gap.
    const live = sources[before.place ?? -1]
    const waits = next.place === 0 && live && live !== sources[0] && !before.slate && carries(live, now(), rule)
    if (next === before || (waits && ready !== sources[0])) return
    choice = next
    if (next.place === 0 && !next.slate) fresh = false
    if (choice.slate !== before.slate || choice.place !== before.place) splice.cut()
    if (choice.slate) showSlate()
    else hideSlate()
    around.changed()
    if (choice.why !== before.why) switched(view())
  }

  /** The clip for the stream as it was last; made anew only for another name or other codecs. */
  function slateClip(): Promise<Buffer | undefined> {
    const types = slateTypes(splice.types())
    const made = JSON.stringify([setting.name, types])
    if (clip?.made !== made) clip = { made, bytes: makeSlate(launcher, setting.name, types) }
    return clip.bytes
  }

  async function showSlate(): Promise<void> {
    if (player) return
    const wanted: SlatePlayer = { stop() {} }
    player = wanted
    const bytes = await slateClip()
    if (player !== wanted) return
    if (bytes) {
      player = playSlate(bytes, splice.take, splice.cut)
      return
    }
    broken = true
    clip = undefined
    decide()
  }

  function hideSlate(): void {
    player?.stop()
    player = undefined
  }

  function set(next: SwitchboardSetting): void {
    const onAir = sources[choice.place ?? -1]
    const renamed = next.name !== setting.name
    setting = next
    const was = sources
    sources = next.inputs.map(({ id, input }) => {
      const same = was.find((source) => source.id === id && source.input === input)
      return same ?? connect(id, input)
    })
    if (was.length > 0 && was[0] !== sources[0]) fresh = true
    broken = false
    for (const source of was) if (!sources.includes(source)) source.input.taps.delete(source.tap)
    const place = onAir ? sources.indexOf(onAir) : -1
    if (place < 0) splice.cut()
    // The reason names a place, which may be another one now.
    const why = choice.place === place || choice.place === undefined ? choice.why : 'on-air-none'
    choice = { ...choice, place: place < 0 ? undefined : place, why }
    if (choice.slate && (renamed || !next.slate)) hideSlate()
    if (!next.slate) choice = { ...choice, slate: false }
    else if (choice.slate) showSlate()
    decide()
  }

  function view(): OnAirObserved {
    return { input: sources[choice.place ?? -1]?.id, slate: choice.slate, why: choice.why }
  }

  set(first)

  return {
    stream: {
      taps,
      kbps: () => (choice.slate ? 0 : (sources[choice.place ?? -1]?.input.kbps() ?? 0)),
      carrying: () => choice.slate || (sources[choice.place ?? -1]?.input.carrying() ?? false)
    },
    set,
    view,
    input: () => sources[choice.place ?? -1]?.input,
    tick: () => decide(),
    stop() {
      stopped = true
      hideSlate()
      for (const { input, tap } of sources) input.taps.delete(tap)
      sources = []
      for (const tap of taps) tap.over()
    }
  }
}
