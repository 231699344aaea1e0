// Shared by the restoration of all kinds of objects: names in use, and the list of parts that were not restored.
import { lengthInUnits } from '../../../contract/rules/rules.ts'
import type { LeftOutPart } from '../../../contract/trash.ts'
import type { Gate } from '../../auth/gate.ts'
import type { Scheduler } from '../../channels/scheduler.ts'
import { type Context, requireCaller } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import type { TrashedNode } from '../../store/trash.ts'
import type { NdiNameParts } from '../ndi-names.ts'
import { playbackKeys } from '../stream/output-config.ts'
import type { PortsInUse } from '../stream/ports-in-use.ts'

export interface RestoreParts extends NdiNameParts {
  store: Store
  gate: Gate
  portsInUse: PortsInUse
  scheduler: Pick<Scheduler, 'scheduleChanged'>
  applyChannel: (id: number) => Promise<void>
  permissionsChanged: () => void
}

/** The restoration of one object. */
export class Restoration {
  readonly context: Context
  /** Whether channels that were on when they were deleted are started. */
  readonly starts: boolean
  /** Whether the caller agrees that a channel receives from a host and sends to it. */
  readonly force: boolean
  /** The parts that were not restored, or were replaced. */
  readonly leftOut: LeftOutPart[] = []
  /** The ID of the object, if it could not be given its own. */
  newId: number | undefined

  constructor(context: Context, { starts, force }: { starts: boolean; force: boolean }) {
    this.context = context
    this.starts = starts
    this.force = force
  }

  /** Reports a part as not restored or replaced. @param was its name or value @param now what replaces it */
  leaveOut(of: LeftOutPart['of'], was?: string, now?: string): void {
    this.leftOut.push({ of, ...(was !== undefined && { was }), ...(now !== undefined && { now }) })
  }

  /**
   * The name of an object, or the name with a number if another object has it. A name that is too long is shortened.
   * @param isTooLong see `isLongerThan`
   */
  freeName(name: string, isTooLong: (name: string) => boolean, isTaken: (name: string) => boolean): string {
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? '' : ` ${number}`
      let base = name
      while (isTooLong(base + suffix)) base = [...base].slice(0, -1).join('').trim()
      const free = base + suffix
      if (isTaken(free)) continue
      if (free !== name) this.leaveOut('name', name, free)
      return free
    }
  }
}

/** Returns a predicate: whether a name is longer than this, in the units of `lengthInUnits`. */
export const isLongerThan = (max: number) => (name: string) => lengthInUnits(name) > max

/** The name of a former input or output of a channel; undefined if the caller may not see it. */
export function visibleName(
  { store, gate }: Pick<RestoreParts, 'store' | 'gate'>,
  context: Context,
  { id, name, sn }: TrashedNode
): string | undefined {
  const caller = requireCaller(context)
  if (gate.isAdmin(caller)) return name
  const device = store.devices.byId(id)
  const isVisible = sn === null ? gate.sourcesVisibleTo(caller)(id) : device && gate.canSeeDevice(caller, device)
  return isVisible ? name : undefined
}

/** Whether a channel or an output uses a stream key. */
export const isKeyTaken = ({ channels, sources }: Pick<Store, 'channels' | 'sources'>, key: string): boolean =>
  channels.byKey(key) !== undefined ||
  sources.outputs().some((output) => playbackKeys(output).some((other) => other.key === key))
