// Runs rollouts: begins waves, follows each device's update, stops after too many failures. How far each device is stands in the
// database before anything is done to it, so that a hub that was cut off goes on where it was.
import { NOT_EXIST, UNKNOWN_ERROR } from '../../contract/codes.ts'
import { UPDATE } from '../../contract/firmware.ts'
import { LOG_ERROR, LOG_WARNING } from '../../contract/log.ts'
import type { RolloutDeviceRow, RolloutRow } from '../store/rollouts.ts'
import type { Store } from '../store/store.ts'
import { createSlots } from './concurrency-limit.ts'
import { UpdateFailed, type Updater, type UpdateTask } from './update.ts'

/** Files on their way to devices at a time: more would only share the same line. */
const SENDING = 8
/** Times that a device's update is begun, when the hub goes away in between. */
const ATTEMPTS = 3
/** Milliseconds between two words to consoles of how far a device is. */
const TELL_EVERY = 1000
/** Milliseconds after which a rollout is looked at again whose state could not be written down. */
const AGAIN_AFTER = 2000

export interface RolloutOptions {
  store: Store
  updater: Updater
  /** Where a firmware's file is. */
  pathOf(file: string): string
  now?: () => number
}

export type RolloutRunner = ReturnType<typeof createRollouts>

export function createRollouts({ store, updater, pathOf, now = Date.now }: RolloutOptions) {
  const { rollouts, changes, database } = store
  const sending = createSlots(SENDING)
  const ended = new AbortController()
  /** Devices that are being looked after, by rollout and serial, with the percent of their step. */
  const running = new Map<string, { percent: number; told: number }>()
  const keyOf = (id: number, sn: string) => `${id} ${sn}`

  function told(id: number, sn: string): void {
    changes.bump('rollout', id)
    const device = store.devices.bySerial(sn)
    if (device) changes.bump('device', device.id)
  }

  function isOver(row: RolloutRow): boolean {
    return row.state === 'done' || row.state === 'cancelled'
  }

  /** Does what is due: ends the rollout, stops it, or begins the next wave. */
  function advance(id: number): void {
    if (ended.signal.aborted) return
    const next = database.transaction(() => due(id))
    changes.bump('rollout', id)
    for (const device of next) begin(id, device)
  }

  /** Looks after a device. Where the disk does not take what became of it, it is found out once more. */
  function begin(id: number, device: RolloutDeviceRow): void {
    run(id, device).catch((error) => later(id, error))
  }

  function later(id: number, error: unknown): void {
    console.error(`rollout ${id}:`, error)
    setTimeout(goOn, AGAIN_AFTER, id).unref()
  }

  /** Sees to what has begun, and to what is due. Never throws. */
  function goOn(id: number): void {
    if (ended.signal.aborted) return
    try {
      // Also where nothing more may begin.
      for (const device of rollouts.begun(id)) begin(id, device)
      advance(id)
    } catch (error) {
      later(id, error)
    }
  }

  /** @returns the devices that begin */
  function due(id: number): RolloutDeviceRow[] {
    const row = rollouts.byId(id)
    if (!row || isOver(row)) return []
    const tally = rollouts.tally(id)
    if (tally.waiting + tally.active === 0) {
      rollouts.setState(id, tally.cancelled > 0 ? 'cancelled' : 'done', now())
      return []
    }
    if (row.state !== 'running') return []
    if (row.stop_after > 0 && tally.failed - row.forgiven >= row.stop_after) {
      rollouts.hold(id, 'stopped')
      store.note({ event: 'rollout-stopped', detail: `${row.product_name} ${row.version}`, level: LOG_ERROR })
      return []
    }
    if (tally.begun > 0) return []
    const next = rollouts.next(id, row.waves === 0 && row.first > 0 ? row.first : row.wave)
    rollouts.beginWave(
      id,
      row.waves + 1,
      next.map(({ sn }) => sn)
    )
    return next
  }

  /** Sees one device through to its end, and to what is due then. */
  async function run(id: number, device: RolloutDeviceRow): Promise<void> {
    const { sn } = device
    const key = keyOf(id, sn)
    if (running.has(key)) return
    running.set(key, { percent: 0, told: 0 })
    let reason = 0
    try {
      if (!(await update(id, device))) return
    } catch (error) {
      // Not the device's failing: the hub is closing, and goes on after its next start.
      if (ended.signal.aborted) return
      if (!(error instanceof UpdateFailed)) console.error(`update of ${sn}:`, error)
      reason = error instanceof UpdateFailed ? error.code : UNKNOWN_ERROR
    } finally {
      running.delete(key)
    }
    database.transaction(() => {
      rollouts.setDevice(id, sn, reason === 0 ? UPDATE.idle : UPDATE.failed, reason, now())
      const row = rollouts.byId(id)
      const name = store.devices.bySerial(sn)?.name ?? sn
      if (reason === 0) store.note({ event: 'firmware-updated', detail: `${name} ${row?.version}`, sn })
      else store.note({ event: 'firmware-failed', detail: `${name} ${reason}`, level: LOG_WARNING, sn })
    })
    told(id, sn)
    advance(id)
  }

  /** The device, unless it was told to wait on, or cancelled, while it waited for its turn. */
  function begun(id: number, sn: string): RolloutDeviceRow | undefined {
    const here = rollouts.device(id, sn)
    return here && (here.state > UPDATE.waiting || (here.state === UPDATE.waiting && here.wave > 0)) ? here : undefined
  }

  /** @returns whether it was done; else it may not begin yet */
  async function update(id: number, device: RolloutDeviceRow): Promise<boolean> {
    const { sn } = device
    try {
      await updater.reach(sn, device.state > UPDATE.waiting, ended.signal)
    } catch (error) {
      if (!ended.signal.aborted && !begun(id, sn)) return false
      throw error
    }
    const release = await sending.take()
    try {
      if (ended.signal.aborted) throw ended.signal.reason
      const row = rollouts.byId(id)
      const here = begun(id, sn)
      if (!row || !here) return false
      const resumed = here.state > UPDATE.waiting
      const file = store.firmware.byId(row.firmware_id)
      if (!file) throw new UpdateFailed(NOT_EXIST)
      let state = here.state
      const task: UpdateTask = {
        sn,
        file: { path: pathOf(file.file), name: nameOf(file), size: file.size },
        version: row.version,
        signal: ended.signal,
        report(step, percent) {
          // The line is free again.
          if (step !== UPDATE.updating) release()
          const one = running.get(keyOf(id, sn))
          if (one) one.percent = percent
          if (step !== state) {
            state = step
            database.transaction(() => rollouts.setDevice(id, sn, step))
          } else if (!one || now() - one.told < TELL_EVERY) return
          if (one) one.told = now()
          told(id, sn)
        }
      }
      database.transaction(() => rollouts.begin(id, sn, here.started || now()))
      state = resumed ? here.state : UPDATE.updating
      told(id, sn)
      if (resumed) await updater.resume(task, here.state, here.from_ver, here.attempts < ATTEMPTS)
      else await updater.update(task)
      return true
    } finally {
      release()
    }
  }

  return {
    /** Looks after a rollout that was just made, or was changed in the store. */
    advance: goOn,

    /** Goes on with what a hub before this one began. */
    start(): void {
      for (const { id } of rollouts.open()) goOn(id)
    },

    /** Percent of the step that a device is at. */
    percent: (id: number, sn: string): number => running.get(keyOf(id, sn))?.percent ?? 0,

    /** Leaves all as it is in the database. */
    close(): void {
      ended.abort(new Error('the hub is closing'))
    }
  }
}

/** What a device is told that the file is called: as the vendor's are. */
function nameOf(file: { model: string; hardware_ver: string; major: number; minor: number; build: number }): string {
  const { model, hardware_ver: hardware, major, minor, build } = file
  return `${model}_rev_${hardware.toLowerCase()}_${major}_${minor}_${build}.mwf`
}
