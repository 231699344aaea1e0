// Tags after an import. A tag is recognized by its name. Tags of devices belong to the part of the devices, and all
// others to that of the streams, so a device can bring a tag that the streams do not have.
import type { DeviceMap } from './merge-devices.ts'
import type { Merge } from './merge-state.ts'
import type { MaskMap } from './merge-users.ts'
import type { Row } from './tables.ts'

export function mergeTags(merge: Merge, masks: MaskMap, devices: DeviceMap): void {
  const { result } = merge
  const withMasks = (table: 'channel' | 'device', tag: Row) => masks.map(table, tag, 'group_mask', 'usr_mask')
  result.tag = merge.rows('tag', 'streams').map((tag) => withMasks('channel', tag))
  result.tag_channel = merge.rows('tag_channel', 'streams')
  result.tag_source = merge.rows('tag_source', 'streams')
  const isImported = merge.parts.has('devices')
  const origin = isImported ? merge.imported : merge.local
  const deviceId = isImported ? devices.imported : devices.local
  const originTags = new Map(origin.tag.map((tag) => [tag.id, tag]))
  const keyOf = (name: unknown) => String(name).toLowerCase()
  const byName = new Map(result.tag.map((tag) => [keyOf(tag.name), tag]))
  let next = Math.max(0, ...result.tag.map(({ id }) => Number(id))) + 1
  result.tag_device = origin.tag_device.flatMap((row) => {
    const tag = originTags.get(row.tag_id as number)
    const device = deviceId(Number(row.device_id))
    if (!tag || device === undefined) return []
    const key = keyOf(tag.name)
    if (!byName.has(key)) {
      const added = withMasks('device', { ...tag, id: next++ })
      byName.set(key, added)
      result.tag.push(added)
    }
    return [{ tag_id: Number(byName.get(key)?.id), device_id: device }]
  })
}
