// Content of the dialog about access: the objects with their inherited access, and the call that saves a selection.
import { inheritedVisibility, type ObjectSecurity, type Visibility } from '../../../contract/access/visibility.ts'
import { listCatalogs } from '../../../contract/catalog.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { getGlobalDevice, setDeviceSecurity, setGlobalDevice } from '../../../contract/device/device.ts'
import { getGlobalChannel, setChannelSecurity, setGlobalChannel } from '../../../contract/stream/channel-security.ts'
import { send } from '../../link/send.ts'
import { setCatalogSecurity } from '../../state/catalogs.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { notify } from '../../state/toasts.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { runBulk } from '../bulk-action.ts'
import { ACCESS_TEXT, type AccessSubject } from './subject.ts'
import type { AccessObject } from './visibility-dialog.tsx'

const TEXT = {
  accessTo: ['Access to {0}', '{0}的可见范围'],
  channelDefault: ['Default access to channels', '频道默认可见范围'],
  deviceCount: ['{0} devices', '{0} 台设备'],
  channelCount: ['{0} channels', '{0} 个频道'],
  fromGroup: ['group {0}', '分组 {0}'],
  fromDeviceDefault: ['the default for devices', '设备默认设置'],
  fromChannelDefault: ['the default for channels', '频道默认设置']
} as const satisfies Record<string, Translation>

export interface AccessContent {
  title: string
  objects: readonly AccessObject[]
  save: (security: ObjectSecurity) => Promise<boolean>
}

const NO_MASKS: Visibility = { 'group-mask': 0, 'usr-mask': 0 }

/** What an object inherits, by the id of its device group; 0 = none. */
type Inheritance = (catalog: number) => Required<AccessObject>['inherited']

/** Reads the inherited access of devices and device groups. @returns undefined after a failure, which is notified */
async function fetchDeviceInheritance(): Promise<Inheritance | undefined> {
  const [defaults, catalogs] = await Promise.all([send(getGlobalDevice, {}), send(listCatalogs, {})])
  const failed = [defaults, catalogs].find(({ result }) => result !== SUCCESS)
  if (failed) {
    notify(failed)
    return undefined
  }
  const groups = new Map(catalogs.list.map((catalog) => [catalog.id, { ...NO_MASKS, ...catalog }]))
  return (id) => {
    const { masks, catalog = 0 } = inheritedVisibility(groups, id, defaults.security)
    const group = groups.get(catalog)
    return { masks, source: group ? t(TEXT.fromGroup, group.name) : t(TEXT.fromDeviceDefault) }
  }
}

/** 'Access to News', or 'Access to 3 channels'. */
const titleOf = (objects: readonly { name: string }[], count: Translation): string =>
  t(TEXT.accessTo, objects.length === 1 && objects[0] ? objects[0].name : t(count, objects.length))

async function loadDevices({ devices }: AccessSubject & { kind: 'devices' }): Promise<AccessContent | undefined> {
  const inheritedBy = await fetchDeviceInheritance()
  const title = titleOf(devices, TEXT.deviceCount)
  return (
    inheritedBy && {
      title,
      objects: devices.map((own) => ({ own, inherited: inheritedBy(own['catalog-id']) })),
      save: (security) => {
        const sendBatch = (sn: string[]) => send(setDeviceSecurity, { sn, security })
        return runBulk({ title, devices, outcome: OUTCOME.saved, sendBatch })
      }
    }
  )
}

async function loadChannels({ channels }: AccessSubject & { kind: 'channels' }): Promise<AccessContent | undefined> {
  const reply = await send(getGlobalChannel, {})
  if (reply.result !== SUCCESS) {
    notify(reply)
    return undefined
  }
  const inherited = { masks: reply.security, source: t(TEXT.fromChannelDefault) }
  const success = { text: OUTCOME.saved, names: channels.map(({ name }) => name) }
  const id = channels.map((channel) => channel.id)
  return {
    title: titleOf(channels, TEXT.channelCount),
    objects: channels.map((own) => ({ own, inherited })),
    save: (security) => succeeded(sendMutation(setChannelSecurity, { id, security }, { success }))
  }
}

async function loadCatalog({ catalog }: AccessSubject & { kind: 'catalog' }): Promise<AccessContent | undefined> {
  const inheritedBy = await fetchDeviceInheritance()
  return (
    inheritedBy && {
      title: titleOf([catalog], TEXT.deviceCount),
      objects: [{ own: catalog, inherited: inheritedBy(catalog['parent-id']) }],
      save: (security) => setCatalogSecurity(catalog, security)
    }
  )
}

async function loadDefault({ of }: AccessSubject & { kind: 'default' }): Promise<AccessContent | undefined> {
  const isDevice = of === 'device'
  const reply = await send(isDevice ? getGlobalDevice : getGlobalChannel, {})
  if (reply.result !== SUCCESS) {
    notify(reply)
    return undefined
  }
  return {
    title: t(isDevice ? ACCESS_TEXT.deviceDefault : TEXT.channelDefault),
    objects: [{ own: reply.security }],
    save: ({ 'group-mask': groups = 0, 'usr-mask': users = 0 }) =>
      succeeded(
        sendMutation(
          isDevice ? setGlobalDevice : setGlobalChannel,
          { security: { 'group-mask': groups, 'usr-mask': users } },
          { success: { text: OUTCOME.settingsSaved } }
        )
      )
  }
}

/** @returns undefined after a failure, which is notified */
export function loadAccess(subject: AccessSubject): Promise<AccessContent | undefined> {
  switch (subject.kind) {
    case 'devices':
      return loadDevices(subject)
    case 'channels':
      return loadChannels(subject)
    case 'catalog':
      return loadCatalog(subject)
    default:
      return loadDefault(subject)
  }
}
