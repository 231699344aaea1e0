// Failover: combines several inputs and a slate into one stream for the outputs of a channel. All inputs are connected
// all the time, because only an active input is known to be usable, and an SRT caller or a device takes seconds to
// connect.
import type { SwitchRule } from '../../contract/stream/channel.ts'
import type { ObservedOnAir, WantedHold } from '../interfaces/channel.ts'
import type { ChangeReports, Processes } from '../interfaces/leg-parts.ts'
import type { Stream } from '../interfaces/relay.ts'
import { Splice } from '../mpegts/splice.ts'
import { HeldMedia, holdAge, holdTime, SentKeyFrames } from './held-media.ts'
import type { Input } from './input.ts'
import { encodeSlate, playSlate, type SlatePlayer, slateStreamTypes } from './slate.ts'
import { SwitchRelay } from './switch-relay.ts'
import {
  type Candidate,
  type Choice,
  type ChoiceContext,
  chooseInput,
  describeReturn,
  INITIAL_CHOICE,
  isActive,
  isHeld,
  isIncomplete,
  OperatorHold
} from './switch-rule.ts'

interface InputSwitchSettings {
  /** Text of the slate. */
  name: string
  /** The first input and the backups. */
  inputs: readonly { id: number; input: Input }[]
  rule: SwitchRule
  slate: boolean
  /** Whether an input that has lost a track is replaced by one that has it. */
  onTrackLoss: boolean
  /** Whether the content of an input has a fault because of which another one is to replace it. Default: none has. */
  hasBadContent?(id: number): boolean
  /** Whether the media of inputs that are not on air is held: one that takes over begins where the other ended. */
  holdBoth: boolean
  /** The choice of an operator. */
  hold?: WantedHold
}

/**
 * Called when another input goes on air, with the reason. @param endedHold version of the operator's choice that has
 * ended with it
 */
type SwitchListener = (onAir: ObservedOnAir, endedHold?: number) => void

interface InputSwitchEvents {
  onSwitch: SwitchListener
  /** The stream has begun, so that receivers can move to it. */
  onStart(): void
}

interface Source extends Candidate {
  id: number
  input: Input
  /** Milliseconds for which its media is held; undefined: it is not. */
  keep: number | undefined
  /** Takes its media when it takes over, until it continues the stream. */
  held: HeldMedia | undefined
  unsubscribe(): void
}

export class InputSwitch {
  /** The stream for the outputs. */
  readonly stream: Stream
  readonly #context: Processes & ChangeReports
  readonly #onSwitch: SwitchListener
  readonly #relay: SwitchRelay
  readonly #startedAt: number
  readonly #splice: Splice
  readonly #sentKeyFrames: SentKeyFrames
  readonly #hold = new OperatorHold()
  #settings: InputSwitchSettings
  #sources: Source[] = []
  #choice: Choice = INITIAL_CHOICE
  /** The encoded slate, and the text and codecs it was encoded for. */
  #clip: { key: string; bytes: Promise<Buffer | undefined> } | undefined
  #slatePlayer: SlatePlayer | undefined
  /** The slate could not be encoded. */
  #isSlateBroken = false
  /** The first input was replaced and has not been on air since. */
  #firstReplaced = false
  #isStopped = false
  /** The input with which the stream began. */
  #origin: Input | undefined

  constructor(
    settings: InputSwitchSettings,
    context: Processes & ChangeReports,
    { onSwitch, onStart }: InputSwitchEvents
  ) {
    this.#settings = settings
    this.#context = context
    this.#onSwitch = onSwitch
    this.#startedAt = context.now()
    this.#relay = new SwitchRelay(context, onStart)
    this.#splice = new Splice(
      {
        media: (data) => this.#relay.write(data),
        // The relay notices it from the PMT.
        onLayoutChange() {}
      },
      context.now
    )
    this.#sentKeyFrames = new SentKeyFrames(this.#splice)
    this.stream = {
      subscribe: (tap, options, from) => this.#relay.host.subscribe(tap, options, from),
      addUser: (user, from) => this.#relay.host.addUser(user, from),
      continues: () => this.#origin,
      release: (receiver) => this.#relay.host.release(receiver),
      kbps: () => (this.#choice.slate ? 0 : (this.currentInput()?.kbps() ?? 0)),
      lastMediaAt: () => (this.#choice.slate ? context.now() : this.currentInput()?.lastMediaAt()),
      isActive: () => this.#choice.slate || (this.currentInput()?.isActive() ?? false)
    }
    this.update(settings)
  }

  /** Changes the settings. The input on air stays on air if possible. */
  update(settings: InputSwitchSettings): void {
    const onAir = this.#current()
    const isRenamed = settings.name !== this.#settings.name
    this.#settings = settings
    this.#hold.update(settings.hold)
    this.#replaceSources(settings)
    this.#isSlateBroken = false
    const index = onAir ? this.#sources.indexOf(onAir) : -1
    if (index < 0) this.#splice.cut()
    // The reason contains an index, which may have changed.
    const { index: lastIndex, reason: lastReason } = this.#choice
    const reason = lastIndex === index || lastIndex === undefined ? lastReason : 'on-air-none'
    this.#choice = { ...this.#choice, index: index < 0 ? undefined : index, reason }
    if (this.#choice.slate && (isRenamed || !settings.slate)) this.#hideSlate()
    if (!settings.slate) this.#choice = { ...this.#choice, slate: false }
    else if (this.#choice.slate) this.#showSlate()
    this.#updateHolds()
    this.#decide()
  }

  observe(): ObservedOnAir {
    const { slate, reason } = this.#choice
    const back = describeReturn(this.#choice, this.#sources, this.#choiceContext())
    return { inputId: this.#current()?.id, slate, reason, ...(this.#isHeld() && { isHeld: true }), ...back }
  }

  /** Whether the stream has begun. */
  hasStarted(): boolean {
    return this.#relay.hasStarted
  }

  /** The input on air. */
  currentInput(): Input | undefined {
    return this.#current()?.input
  }

  /** Call about twice a second. */
  tick(): void {
    this.#decide()
  }

  stop(): void {
    this.#isStopped = true
    this.#hideSlate()
    for (const { unsubscribe } of this.#sources) unsubscribe()
    this.#sources = []
    void this.#relay.stop()
  }

  /** The source on air, or that was last on air. */
  #current(): Source | undefined {
    return this.#sources[this.#choice.index ?? -1]
  }

  /** Whether an operator has to end a choice, which for the first input is so while the rule would replace it. */
  #isHeld(): boolean {
    const { index, slate } = this.#choice
    return isHeld(this.#choice) || (index === 0 && !slate && this.#choiceContext().hold === 0)
  }

  #isOnAir(source: Source): boolean {
    return !this.#choice.slate && this.#current() === source
  }

  #replaceSources({ inputs }: InputSwitchSettings): void {
    const previous = this.#sources
    this.#sources = inputs.map(({ id, input }) => {
      const known = previous.find((source) => source.id === id && source.input === input)
      return known ?? this.#connect(id, input)
    })
    if (previous.length > 0 && previous[0] !== this.#sources[0]) this.#firstReplaced = true
    for (const source of previous) if (!this.#sources.includes(source)) source.unsubscribe()
  }

  #connect(id: number, input: Input): Source {
    const source: Source = {
      id,
      input,
      lastActiveAt: undefined,
      activeSince: 0,
      keep: undefined,
      held: undefined,
      unsubscribe() {}
    }
    this.#subscribe(source)
    return source
  }

  /** @param age as `MediaHold.age` */
  #subscribe(source: Source, age?: number): void {
    const keep = this.#settings.holdBoth ? holdTime(this.#settings.rule['after-s']) : undefined
    source.unsubscribe()
    source.keep = keep
    source.unsubscribe = source.input.subscribe(
      {
        media: (data, starts, tables) => this.#takeMedia(source, data, starts, tables),
        end: () => {
          source.held = undefined
          if (this.#isOnAir(source)) this.#splice.cut()
        }
      },
      keep === undefined ? {} : { hold: { keep, ...(age !== undefined && { age }) } }
    )
  }

  #takeMedia(source: Source, data: Buffer, starts: readonly number[], tables: Buffer): void {
    const now = this.#context.now()
    if (!isActive(source, now, this.#settings.rule)) source.activeSince = now
    source.lastActiveAt = now
    const { held } = source
    if (!this.#isOnAir(source)) this.#decide(starts.length > 0 ? source : undefined)
    // These packets come again if it takes over with its held media.
    if (!this.#isOnAir(source) || source.held !== held) return
    this.#origin ??= source.input
    if (!source.held) {
      if (this.#settings.holdBoth) this.#sentKeyFrames.push(data, starts)
      this.#splice.push(data, starts, tables)
    } else if (!source.held.push(data, starts, tables)) source.held = undefined
  }

  /** Lets the relays of the inputs that are not on air hold their media, or not. */
  #updateHolds(): void {
    const { holdBoth, rule } = this.#settings
    const keep = holdBoth ? holdTime(rule['after-s']) : undefined
    for (const source of this.#sources) if (!this.#isOnAir(source) && source.keep !== keep) this.#subscribe(source)
  }

  /** Whether an input that takes over begins with held media: the one on air was lost, and was not a slate. */
  #canResume(previous: Choice, next: Choice, lost: Source, target: Source): boolean {
    if (lost === target || previous.slate || next.slate || target.keep === undefined) return false
    return lost.lastActiveAt !== undefined && !isActive(lost, this.#context.now(), this.#settings.rule)
  }

  /** Subscribes an input that takes over again, so that it begins with its held media. */
  #resume(source: Source, lost: Source): void {
    const now = this.#context.now()
    source.held = new HeldMedia(this.#splice, this.#sentKeyFrames, this.#context.now)
    this.#subscribe(source, holdAge(now - (lost.lastActiveAt ?? now)))
  }

  /**
   * Applies the rule.
   * @param startable a source at whose current packets a decoder can start
   */
  #decide(startable?: Source): void {
    if (this.#isStopped) return
    this.#updateTracks()
    const lostHold = this.#hold.endIfLost(this.#sources, this.#choiceContext())
    const previous = this.#choice
    const context = this.#choiceContext()
    const next = chooseInput(previous, this.#sources, context)
    const changes = next !== previous && !this.#mustWait(previous, next, startable)
    if (changes) this.#putOnAir(next)
    const endedHold = lostHold ?? this.#hold.endIfFirst(this.#choice, context.hold, this.#sources)
    if ((changes && next.reason !== previous.reason) || endedHold !== undefined)
      this.#onSwitch(this.observe(), endedHold)
  }

  #updateTracks(): void {
    for (const source of this.#sources) {
      if (this.#settings.onTrackLoss) source.tracks = source.input.trackKinds()
      else delete source.tracks
      source.hasBadContent = this.#settings.hasBadContent?.(source.id) ?? false
      if (isIncomplete(source)) source.activeSince = this.#context.now()
    }
  }

  #putOnAir(next: Choice): void {
    const previous = this.#choice
    this.#choice = next
    if (next.index === 0 && !next.slate) this.#firstReplaced = false
    if (next.slate !== previous.slate || next.index !== previous.index) this.#splice.cut()
    this.#sentKeyFrames.reset()
    for (const source of this.#sources) source.held = undefined
    const [lost, target] = [this.#sources[previous.index ?? -1], this.#current()]
    if (lost && target && this.#canResume(previous, next, lost, target)) this.#resume(target, lost)
    this.#updateHolds()
    if (next.slate) this.#showSlate()
    else this.#hideSlate()
    this.#context.onChange()
  }

  #choiceContext(): ChoiceContext {
    const { rule, slate } = this.#settings
    const hold = this.#hold.find(this.#sources.map(({ id }) => id))
    return {
      now: this.#context.now(),
      startedAt: this.#startedAt,
      rule,
      slate: slate && !this.#isSlateBroken,
      firstReplaced: this.#firstReplaced,
      ...(hold !== undefined && { hold })
    }
  }

  /**
   * Whether a source cannot yet follow an active one without a gap, because it is not at a start point. This is so when
   * the first input returns, and when an operator switches.
   */
  #mustWait(previous: Choice, next: Choice, startable: Source | undefined): boolean {
    const live = this.#sources[previous.index ?? -1]
    const target = this.#sources[next.index ?? -1]
    if (next.slate || previous.slate || !live || live === target) return false
    return isActive(live, this.#context.now(), this.#settings.rule) && startable !== target
  }

  /** The clip for the codecs of the last stream. It is encoded again if the text or the codecs have changed. */
  #getClip(): Promise<Buffer | undefined> {
    const types = slateStreamTypes(this.#splice.streamTypes())
    const key = JSON.stringify([this.#settings.name, types])
    if (this.#clip?.key !== key)
      this.#clip = { key, bytes: encodeSlate(this.#context.launcher, this.#settings.name, types) }
    return this.#clip.bytes
  }

  async #showSlate(): Promise<void> {
    if (this.#slatePlayer) return
    const placeholder: SlatePlayer = { stop() {} }
    this.#slatePlayer = placeholder
    const clip = await this.#getClip()
    if (this.#slatePlayer !== placeholder) return
    if (clip) {
      this.#slatePlayer = playSlate(
        clip,
        (data, starts, tables) => this.#splice.push(data, starts, tables),
        () => this.#splice.cut()
      )
      return
    }
    this.#isSlateBroken = true
    this.#clip = undefined
    this.#decide()
  }

  #hideSlate(): void {
    this.#slatePlayer?.stop()
    this.#slatePlayer = undefined
  }
}
