// The update of one hub of a rollout: reads the state of the hub's upgrade, and starts the next step.
import type { Call } from '../../contract/call.ts'
import type { RolloutHubCause, RolloutStep } from '../../contract/cloud/rollout.ts'
import { CLIENT_OFFLINE, IN_PROGRESS, NOT_PERMITTED, OFF_AIR, SUCCESS, UNSUPPORTED } from '../../contract/codes.ts'
import { checkUpdate, startUpdate, updateStatus } from '../../contract/update.ts'
import { LinkError } from '../../device-link/link-error.ts'
import type { HubCaller, HubCalls } from './hub-calls.ts'
import type { RolloutHubRow, RolloutRow } from './rollout-rows.ts'
import { describeFailure, findRefusal, type HubStatus, nextAction } from './update-steps.ts'

/** Milliseconds without a sign of progress after which an update has failed: while the hub is offline, and online. */
const LOST_AFTER = 900_000
const STUCK_AFTER = 1_800_000
/** Steps that a hub can make in one turn: download and install, if the release is there already. */
const STEPS_PER_TURN = 3

export interface HubUpdateParts {
  calls: HubCalls
  rollout: RolloutRow
  caller: HubCaller
  now: () => number
}

/** Why a hub cannot be asked. */
export function causeOfError(error: unknown): { cause: RolloutHubCause; result: number } {
  if (!(error instanceof LinkError)) throw error
  const { code } = error
  if (code === CLIENT_OFFLINE) return { cause: 'offline', result: 0 }
  return { cause: code === UNSUPPORTED ? 'old' : 'no-answer', result: code }
}

/** Why a hub does not say how far its update is. */
export const causeOfResult = (result: number): RolloutHubCause => (result === NOT_PERMITTED ? 'role' : 'refused')

export class HubUpdate {
  readonly row: RolloutHubRow
  isChanged = false
  readonly #parts: HubUpdateParts
  /** The last state of the hub may be a failure. It is one if the next state is no other. */
  #doubt: boolean

  /** @param isDoubtful whether the last state of the hub may have been a failure */
  constructor(row: RolloutHubRow, parts: HubUpdateParts, isDoubtful: boolean) {
    this.row = row
    this.#parts = parts
    this.#doubt = isDoubtful
  }

  get isDoubtful(): boolean {
    return this.#doubt
  }

  change(columns: Partial<RolloutHubRow>): void {
    Object.assign(this.row, columns)
    this.isChanged = true
  }

  fail(cause: RolloutHubCause, columns: Partial<RolloutHubRow> = {}): void {
    const now = this.#parts.now()
    this.change({ state: 'failed', step: '', progress: -1, cause, changed: now, ended: now, ...columns })
  }

  skip(cause: RolloutHubCause, result = 0): void {
    const now = this.#parts.now()
    this.change({ state: 'skipped', cause, result, changed: now, ended: now })
  }

  /** Marks it as started in a wave, before the hub is called. */
  begin(wave: number): void {
    const now = this.#parts.now()
    this.change({ state: 'active', step: 'starting', wave, started: now, changed: now })
  }

  /** Asks a hub that waits whether it can be updated, and skips it otherwise. @returns whether it can */
  async prepare(): Promise<boolean> {
    try {
      const { version } = this.#parts.rollout
      let status = await this.#ask()
      if (status.result === SUCCESS && findRefusal(status, version) === 'not-offered') {
        await this.#call(checkUpdate, {})
        status = await this.#ask()
      }
      if (status.result !== SUCCESS) {
        this.skip(causeOfResult(status.result), status.result)
        return false
      }
      this.change({ from_version: status.version, version: status.version })
      const refusal = findRefusal(status, version)
      if (refusal) this.skip(refusal)
      return refusal === undefined
    } catch (error) {
      const { cause, result } = causeOfError(error)
      this.skip(cause, result)
      return false
    }
  }

  /** Makes the next steps of an active hub. */
  async advance(): Promise<void> {
    try {
      for (let steps = 0; steps < STEPS_PER_TURN && this.row.state === 'active'; steps++)
        if (!(await this.#advance())) return
    } catch (error) {
      const { cause } = causeOfError(error)
      // It restarts, or its line is down.
      if (this.#silence > LOST_AFTER) this.fail('lost')
      else if (cause === 'old') this.fail('old')
    }
  }

  /** Whether the hub says that it runs from the release. @throws LinkError */
  async isUpdated(): Promise<boolean> {
    const { result, version } = await this.#ask()
    return result === SUCCESS && version === this.#parts.rollout.version
  }

  /** Milliseconds since the update made progress. */
  get #silence(): number {
    return this.#parts.now() - this.row.changed
  }

  /** @returns whether there may be another step at once */
  async #advance(): Promise<boolean> {
    const status = await this.#ask()
    const isFirstDoubt = !this.#doubt
    this.#doubt = false
    if (status.result !== SUCCESS) {
      if (isFirstDoubt) this.#doubt = true
      else this.fail(causeOfResult(status.result), { result: status.result })
      return false
    }
    if (status.version !== this.row.version) this.change({ version: status.version })
    const action = nextAction(this.row.step as RolloutStep, status, this.#parts.rollout.version)
    if (action.kind === 'done') this.#finish()
    else if (action.kind === 'wait') this.#wait(action.step, action.progress ?? -1)
    else if (action.kind === 'failed') {
      if (!action.isCertain && isFirstDoubt) this.#doubt = true
      else await this.#failWith(action.cause, status)
    } else return this.#start(action.kind, action.id)
    return false
  }

  #finish(): void {
    const now = this.#parts.now()
    this.change({ state: 'done', step: '', progress: -1, changed: now, ended: now })
  }

  #wait(step: RolloutStep, progress: number): void {
    const { now } = this.#parts
    if (step !== this.row.step || progress !== this.row.progress) this.change({ step, progress, changed: now() })
    else if (this.#silence > STUCK_AFTER) this.fail('stuck')
  }

  /** Lets the hub download or install. @returns whether it has begun */
  async #start(kind: 'download' | 'install', id: string): Promise<boolean> {
    const { rollout, now } = this.#parts
    const asks = kind === 'install' && rollout.interrupt === 0
    const answer = await this.#call(startUpdate, { id, ...(asks && { 'dry-run': 'if-off-air' as const }) })
    // It has begun already, for example because the answer to an earlier call was lost.
    if (answer.result === IN_PROGRESS) return false
    if (answer.result === OFF_AIR) {
      const names = (answer['off-air'] ?? []).map(({ name }) => name).join(', ')
      this.fail('interrupts', { detail_en: names, detail_zh: names })
      return false
    }
    if (answer.result !== SUCCESS) {
      this.fail('refused', { result: answer.result, detail_en: answer.message ?? '' })
      return false
    }
    this.change({ step: kind === 'download' ? 'downloading' : 'installing', progress: -1, changed: now() })
    return true
  }

  async #failWith(cause: RolloutHubCause, status: HubStatus): Promise<void> {
    const chinese = await this.#ask('zh').catch(() => undefined)
    this.fail(cause, {
      result: status['online-status']['update-result'],
      detail_en: describeFailure(cause, status),
      detail_zh: chinese ? describeFailure(cause, chinese) : ''
    })
  }

  #ask(language: 'en' | 'zh' = 'en'): Promise<HubStatus> {
    return this.#call(updateStatus, {}, language)
  }

  #call<Request extends object, Response>(
    call: Call<Request, Response>,
    request: Request,
    language: 'en' | 'zh' = 'en'
  ) {
    const { calls, caller } = this.#parts
    const { organisation, sn } = this.row
    return calls.send({ organisation, sn }, caller, call, request, language)
  }
}
