// The update of the hub's console: an upload is checked and unpacked, then installed into the slot that is not in use and served at
// once. It is on trial until it has confirmed from a browser that it works; else the one before is back, also after a power cut.
import type { KeyObject } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import {
  CANCELED,
  DATA_LOSS,
  IN_PROGRESS,
  NO_SPACE,
  NOT_EXIST,
  STATE_CHANGED,
  SUCCESS,
  TIMEOUT,
  TOO_LARGE,
  WRONG_STATE
} from '../../contract/codes.ts'
import type { LogEvent } from '../../contract/events.ts'
import { FIRMWARE_SPACE_MIN } from '../../contract/firmware.ts'
import { LOG_ERROR, LOG_INFO } from '../../contract/log.ts'
import { compareVersions } from '../../contract/mwf.ts'
import { STATUS } from '../../contract/system.ts'
import {
  type ConsoleHeld,
  type ConsoleVersion,
  SLOTS,
  type Slot,
  UPDATE_FILE_MAX,
  UPDATE_STATE,
  type UpdateFault,
  type UpdateRefused,
  type UpdateStatus,
  type UploadedUpdate
} from '../../contract/update.ts'
import type { Budget } from '../../pack/budget.ts'
import type { Fill } from '../firmware/multipart-file.ts'
import { UploadRefused } from '../firmware/uploads.ts'
import { type Found, findInstalled, findOwn } from './console-folder.ts'
import { receive } from './receive.ts'
import { RESULTS, reasonOf, refused } from './refusals.ts'
import { type Note, openSlots } from './slots.ts'
import { stage } from './staging.ts'

/** Milliseconds that a new console has to show that it works: a browser loads it in ten seconds on the thinnest of lines. */
const CONFIRM_WITHIN = 90_000
/** Milliseconds for an upload from its begin to its end. */
export const UPLOAD_WITHIN = 300_000
/** Milliseconds between two words to consoles of how far an upload is. */
const TELL_EVERY = 500
const MEGABYTE = 1 << 20

export interface UpgradeOptions {
  /** The hub's folder. */
  data: string
  /** Folder of the console that the hub came with. */
  dist: string
  /** Of the hub. */
  version: string
  /** Keys whose packs are taken; none = no pack is. */
  trusted: readonly KeyObject[]
  /** What a console may weigh. */
  budget?: Budget
  /** The state, or how far it is, has changed. */
  changed(): void
  note(line: { event: LogEvent; detail: string; level: number }): void
  /** A folder to serve from now on. */
  serve(root: string): void
  /** For tests: bytes that are free, milliseconds until a new console must have confirmed, and what is called between the steps. */
  free?: () => Promise<number>
  confirmWithin?: number
  step?: (name: 'received' | 'staged' | 'adopted' | 'switched' | 'confirmed' | 'reverted') => void
}

export type Upgrade = ReturnType<typeof createUpgrade>

export function createUpgrade({
  data,
  dist,
  version,
  trusted,
  budget,
  changed,
  note: log,
  serve,
  free,
  confirmWithin = CONFIRM_WITHIN,
  step = () => {}
}: UpgradeOptions) {
  const slots = openSlots(data)
  const own = findOwn(dist, version)
  let state: Note = { active: 'built-in', version: own.version.version, own: own.mark }
  let active: Found = own
  let uploaded: UploadedUpdate | undefined
  /** The upload under way. */
  let work: { abort: AbortController; phase: 'uploading' | 'verifying' | 'cancelling'; progress: number } | undefined
  /** Why the last upload was refused; what an installed console failed by is in the note. */
  let failure: UploadRefused | undefined
  let trial: { timer: NodeJS.Timeout; until: number } | undefined
  /** What is in the slots. Looked at when that may have changed: each look reads all of it. */
  let present: (ConsoleVersion & { slot: Slot })[] | undefined

  const find = (slot: Slot): Found | undefined => (slot === 'built-in' ? own : findInstalled(slots.path(slot), trusted))

  /** What the disk is told of a console that is to be in use. */
  const noteOf = (slot: Slot, found: Found, more: Pick<Note, 'former' | 'trial' | 'failed'> = {}): Note => ({
    active: slot,
    version: found.version.version,
    own: own.mark,
    ...more
  })

  /** Changes which console is in use, after the disk knows it. */
  function use(next: Note, found: Found): void {
    state = next
    active = found
    present = undefined
    clearTimeout(trial?.timer)
    trial = undefined
    serve(found.root)
  }

  /** Than the console in use is now. */
  const isOlder = (one: ConsoleVersion) => compareVersions(one.version, active.version.version) < 0

  /** Puts a console to the test. */
  function tryOut(slot: Slot, found: Found): void {
    const next = noteOf(slot, found, { former: state.active, trial: true })
    slots.setNote(next)
    use(next, found)
    failure = undefined
    trial = {
      timer: setTimeout(giveUp, confirmWithin, 'unconfirmed').unref(),
      until: Date.now() + confirmWithin
    }
    log({ event: 'console-installed', detail: found.version.version, level: LOG_INFO })
    changed()
    step('switched')
  }

  /** Back to the console before, or to the hub's own where that is no more. */
  function giveUp(fault: UpdateFault): void {
    const { active: bad, version: from, former = 'built-in' } = state
    const before = former === bad ? undefined : find(former)
    const [slot, found]: [Slot, Found] = before ? [former, before] : ['built-in', own]
    const next = noteOf(slot, found, { failed: { fault, version: from } })
    try {
      slots.setNote(next)
    } catch (error) {
      // The disk says that it is on trial, which leads here again at the next start.
      console.error('update:', error)
    }
    use(next, found)
    log({ event: 'console-failed', detail: `${from} ${fault}`, level: LOG_ERROR })
    changed()
    step('reverted')
  }

  function useOf(slot: Slot): Pick<ConsoleHeld, 'use' | 'left'> {
    if (slot !== state.active) return { use: slot === state.former && !trial ? 'former' : 'kept' }
    return trial ? { use: 'trial', left: Math.max(0, Math.ceil((trial.until - Date.now()) / 1000)) } : { use: 'active' }
  }

  function bitsNow(): number {
    if (work) return UPDATE_STATE[work.phase]
    if (trial) return UPDATE_STATE.restarting
    if (trusted.length === 0) return UPDATE_STATE.unavailable
    return failure || state.failed ? UPDATE_STATE.failed : UPDATE_STATE.idle
  }

  /** Why there is nothing new: of the last upload, else of what was installed. */
  function lastFailure(): { result: number; extra: UpdateRefused } {
    if (work || trial) return { result: SUCCESS, extra: {} }
    if (failure) return { result: failure.code, extra: failure.extra }
    const fault = state.failed?.fault ?? (trusted.length === 0 ? 'no-keys' : undefined)
    return fault ? { result: RESULTS[fault], extra: { 'update-fault': fault } } : { result: SUCCESS, extra: {} }
  }

  function demandIdle(): void {
    if (trusted.length === 0) throw refused('no-keys')
    if (work || trial) throw new UploadRefused(IN_PROGRESS)
  }

  /** What failed before is old news as soon as somebody begins anew. */
  function forget(): void {
    failure = undefined
    if (!state.failed) return
    const { failed: _, ...rest } = state
    slots.setNote(rest)
    state = rest
  }

  async function makeSure(need: number): Promise<void> {
    const there = await (free ?? slots.free)()
    const keep = FIRMWARE_SPACE_MIN * MEGABYTE
    if (there - need < keep)
      throw new UploadRefused(NO_SPACE, { 'free-size': there, 'need-size': need, 'keep-size': keep })
  }

  return {
    /** The folder of the console in use. */
    root: () => active.root,

    /** The script of a console that is on trial: who runs it may confirm. */
    onTrial: (): string | undefined => (trial ? active.script : undefined),

    /** Bits for the status of the system. */
    bits: (): number => bitsNow() | (work || trial ? STATUS.updating : 0),

    /** Bits of `UPDATE_STATE`. */
    state: bitsNow,

    status(): UpdateStatus {
      const { result, extra } = lastFailure()
      present ??= SLOTS.flatMap((slot) => {
        const found = slot === state.active ? active : find(slot)
        return found ? [{ ...found.version, slot }] : []
      })
      return {
        state: bitsNow(),
        progress: work?.progress ?? 0,
        'enable-update': trusted.length > 0,
        version,
        'online-status': { 'update-result': result },
        ...extra,
        consoles: [
          ...(uploaded
            ? [
                {
                  ...uploaded,
                  ...(isOlder(uploaded) && { older: true as const }),
                  slot: 'uploaded',
                  use: 'ready'
                } as const
              ]
            : []),
          ...present.map((one) => ({ ...one, ...useOf(one.slot) }))
        ]
      }
    },

    /** Looks at what a power cut may have left, and decides on the console to begin with. */
    start(): void {
      slots.clean()
      const kept = slots.note()
      if (!kept) return
      if (kept.own !== own.mark) {
        // The hub itself was updated: its own console is the one that was made for it.
        const next = noteOf('built-in', own)
        slots.setNote(next)
        use(next, own)
        log({ event: 'console-own', detail: own.version.version, level: LOG_INFO })
        return
      }
      state = kept
      const found = find(kept.active)
      if (found) active = found
      if (kept.trial) giveUp('interrupted')
      else if (found) serve(found.root)
      else giveUp('damaged')
    },

    /**
     * Takes an update. What does not come to its end, or is no good, leaves nothing.
     * @param size bytes of it, as far as that is known beforehand
     * @param fill calls with the bytes, in their order, and throws where they are not whole
     * @throws UploadRefused
     */
    async upload(size: number, fill: Fill): Promise<UploadedUpdate> {
      demandIdle()
      if (size > UPDATE_FILE_MAX + MEGABYTE) throw new UploadRefused(TOO_LARGE, { max: UPDATE_FILE_MAX })
      const abort = new AbortController()
      const mine: NonNullable<typeof work> = { abort, phase: 'uploading', progress: 0 }
      work = mine
      uploaded = undefined
      forget()
      changed()
      const late = setTimeout(() => abort.abort(new UploadRefused(TIMEOUT)), UPLOAD_WITHIN).unref()
      const { file, staging } = slots.incoming()
      let told = 0
      const tell = (written: number) => {
        mine.progress = size > 0 ? Math.min(100, Math.floor((100 * written) / size)) : 0
        if (Date.now() - told < TELL_EVERY) return
        told = Date.now()
        changed()
      }
      try {
        await makeSure(size)
        const handle = await open(file, 'w', 0o600)
        await receive(handle, fill, abort.signal, tell).finally(() => handle.close())
        step('received')
        Object.assign(mine, { phase: 'verifying', progress: 100 })
        changed()
        const good = await stage(file, staging, { trusted, budget, signal: abort.signal, makeSure })
        abort.signal.throwIfAborted()
        step('staged')
        rmSync(file)
        uploaded = good
        return { ...good, ...(isOlder(good) && { older: true }) }
      } catch (error) {
        for (const path of [file, staging]) rmSync(path, { recursive: true, force: true })
        const reason = reasonOf(abort.signal.aborted ? abort.signal.reason : error)
        if (reason.code !== CANCELED) failure = reason
        throw reason
      } finally {
        clearTimeout(late)
        work = undefined
        changed()
      }
    },

    /** Ends the upload under way, or throws away what was uploaded; likewise what is said of the last failure. @throws UploadRefused */
    cancel(): void {
      if (work) {
        work.phase = 'cancelling'
        work.abort.abort(new UploadRefused(CANCELED))
      } else if (uploaded) {
        uploaded = undefined
        slots.clean()
      } else {
        if (!failure && !state.failed) throw new UploadRefused(NOT_EXIST)
        forget()
      }
      changed()
    },

    /** Installs what was uploaded. @returns what it is @throws UploadRefused */
    install(id: string, force: boolean): ConsoleVersion {
      demandIdle()
      if (!uploaded) throw new UploadRefused(NOT_EXIST)
      if (uploaded.id !== id) throw new UploadRefused(STATE_CHANGED)
      if (isOlder(uploaded) && !force) throw new UploadRefused(DATA_LOSS)
      // The other one of the two; beside the hub's own console, the one to which nobody would go back.
      const slot = state.active === 'a' || (state.active === 'built-in' && state.former === 'a') ? 'b' : 'a'
      slots.adopt(slot)
      present = undefined
      uploaded = undefined
      step('adopted')
      const found = find(slot)
      if (!found) throw refused('damaged')
      tryOut(slot, found)
      return found.version
    },

    /** The console in use works. @returns what it is @throws UploadRefused where it is not the one with this script */
    confirm(script: string): ConsoleVersion {
      if (active.script !== script) throw new UploadRefused(WRONG_STATE)
      if (trial) {
        const { trial: _, ...stays } = state
        slots.setNote(stays)
        state = stays
        clearTimeout(trial.timer)
        trial = undefined
        log({ event: 'console-confirmed', detail: active.version.version, level: LOG_INFO })
        changed()
        step('confirmed')
      }
      return active.version
    },

    /** Goes back to the console before. @returns what it is @throws UploadRefused */
    revert(): ConsoleVersion {
      demandIdle()
      const found = state.former && find(state.former)
      if (!state.former || !found) throw new UploadRefused(NOT_EXIST)
      tryOut(state.former, found)
      return found.version
    },

    close(): void {
      work?.abort.abort(new UploadRefused(CANCELED))
      clearTimeout(trial?.timer)
      slots.close()
    }
  }
}
