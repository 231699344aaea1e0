// Saves who sees objects. The user can undo it; what another user changes until then stays.
import type { ObjectSecurity, Visibility } from '../../../contract/access/visibility.ts'
import type { Envelope } from '../../../contract/call.ts'
import { listCatalogs } from '../../../contract/catalog.ts'
import { STATE_CHANGED, SUCCESS } from '../../../contract/codes.ts'
import {
  getGlobalDevice,
  listDevicesBySerial,
  setDeviceSecurity,
  setGlobalDevice
} from '../../../contract/device/device.ts'
import { channelDashboard } from '../../../contract/stream/channel.ts'
import { getGlobalChannel, setChannelSecurity, setGlobalChannel } from '../../../contract/stream/channel-security.ts'
import { listTags, setTagSecurity } from '../../../contract/tag.ts'
import { send } from '../../link/send.ts'
import { flattenCatalogs } from '../../other-hubs.ts'
import { sendCatalogSecurity } from '../../state/catalogs.ts'
import { mutate, succeeded, undoIfUnchanged } from '../../state/mutations.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { runBulk } from '../bulk-action.ts'
import type { AccessSubject } from './audience.ts'

type AccessObject = NonNullable<AccessSubject['objects']>[number]

/** Devices in one call: the most that the hub takes. */
const BATCH_SIZE = 1000

const keyOf = ({ sn, id }: AccessObject) => sn ?? id

/** The setting of an object, with the masks that it has while it inherits. */
const securityOf = (object: AccessObject): ObjectSecurity => ({
  'is-inherit': object['is-inherit'] ? 1 : 0,
  'group-mask': object['group-mask'] ?? 0,
  'usr-mask': object['usr-mask'] ?? 0
})

/** Those of the objects that the hub has now. */
async function currentObjects({ of, objects = [] }: AccessSubject): Promise<readonly AccessObject[]> {
  if (of === 'channel') return (await send(channelDashboard, {})).list ?? []
  if (of === 'catalog') return flattenCatalogs((await send(listCatalogs, {})).list ?? [])
  const found: AccessObject[] = []
  for (let start = 0; start < objects.length; start += BATCH_SIZE) {
    const sn = objects.slice(start, start + BATCH_SIZE).flatMap((device) => device.sn ?? [])
    found.push(...((await send(listDevicesBySerial, { sn })).list ?? []))
  }
  return found
}

function sendSecurity(
  of: AccessSubject['of'],
  objects: readonly AccessObject[],
  security: ObjectSecurity
): Promise<Envelope> {
  const ids = objects.map(({ id = 0 }) => id)
  if (of === 'channel') return send(setChannelSecurity, { id: ids, security })
  if (of === 'device') return send(setDeviceSecurity, { sn: objects.flatMap(({ sn }) => sn ?? []), security })
  return sendCatalogSecurity(ids[0] ?? 0, security)
}

/** Gives objects the settings that they had. @param saved the objects directly after the change */
function restoreAccess(subject: AccessSubject, saved: readonly AccessObject[]): Promise<Envelope> {
  const { of, objects = [] } = subject
  const restore = async () => {
    const current = await currentObjects(subject)
    const settingIn = (list: readonly AccessObject[], object: AccessObject) => {
      const found = list.find((other) => keyOf(other) === keyOf(object))
      return found && JSON.stringify(securityOf(found))
    }
    const unchanged = objects.filter((object) => {
      const now = settingIn(current, object)
      return now !== undefined && now === settingIn(saved, object)
    })
    for (const group of Map.groupBy(unchanged, (object) => JSON.stringify(securityOf(object))).values()) {
      const reply = await sendSecurity(of, group, securityOf(group[0] as AccessObject))
      if (reply.result !== SUCCESS) return reply
    }
    return { result: unchanged.length < objects.length ? STATE_CHANGED : SUCCESS }
  }
  return mutate(restore, { success: { text: OUTCOME.saved, names: objects.map(({ name }) => name) } })
}

interface MaskChange {
  /** Those before. Without them, the change cannot be undone. */
  previous?: Visibility
  masks: Visibility
}

/**
 * Saves who sees the objects of a dialog.
 * @param title of the dialog: names a default in the message, and the progress of many devices
 * @param change of a default or a tag, which cannot inherit
 * @returns whether it was saved for all objects
 */
export function saveAccess(
  subject: AccessSubject,
  title: string,
  security: ObjectSecurity,
  change: MaskChange
): Promise<boolean> {
  const { of, objects } = subject
  if (!objects || of === 'tag') return saveMasks(subject, title, change)
  if (subject.onSelect) {
    subject.onSelect(security)
    return Promise.resolve(true)
  }
  const saved: AccessObject[] = []
  const undo = () => restoreAccess(subject, saved)
  const write = async (written: readonly AccessObject[]) => {
    const reply = await sendSecurity(of, written, security)
    if (reply.result === SUCCESS) saved.push(...(await currentObjects({ of, objects: written })))
    return reply
  }
  const names = objects.map(({ name }) => name)
  if (of !== 'device') return succeeded(mutate(() => write(objects), { success: { text: OUTCOME.saved, names, undo } }))
  return runBulk({
    title,
    devices: objects.map(({ sn = '', name }) => ({ sn, name })),
    outcome: OUTCOME.saved,
    sendBatch: (serials) => write(objects.filter(({ sn = '' }) => serials.includes(sn))),
    undo
  })
}

/** Saves who sees the objects that follow a default, or that have a tag. */
function saveMasks(subject: AccessSubject, title: string, { previous, masks }: MaskChange): Promise<boolean> {
  const { of, objects = [] } = subject
  const { id = 0 } = objects[0] ?? {}
  const [get, set] = of === 'channel' ? [getGlobalChannel, setGlobalChannel] : [getGlobalDevice, setGlobalDevice]
  const read = async (): Promise<Envelope & Partial<Visibility>> => {
    if (of !== 'tag') {
      const { security, ...reply } = await send(get, {})
      return { ...reply, ...security }
    }
    const { list, ...reply } = await send(listTags, {})
    return { ...reply, ...list?.find((tag) => tag.id === id) }
  }
  const undo =
    previous &&
    undoIfUnchanged(
      read,
      (now) => now['group-mask'] === masks['group-mask'] && now['usr-mask'] === masks['usr-mask'],
      () => saveMasks(subject, title, { masks: previous })
    )
  const write = () => (of === 'tag' ? send(setTagSecurity, { id, security: masks }) : send(set, { security: masks }))
  const success = { text: OUTCOME.saved, names: [title], ...(undo && { undo }) }
  return succeeded(mutate<Envelope>(write, { success }))
}
