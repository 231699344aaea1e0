// List of destinations: the presets that the hub stores, and those of public services.

import {
  addPreset,
  deletePreset,
  type OutputPreset,
  type PresetFields,
  setPreset
} from '../../../contract/stream/preset.ts'
import { OUTPUT_PROTOCOL_NAMES, RTMP } from '../../../contract/stream/protocols.ts'
import { addOutput } from '../../../contract/stream/source.ts'
import type { Action } from '../../parts/actions.tsx'
import { ResourceList } from '../../parts/resource-list.tsx'
import { PRESET_FORM } from '../../parts/source/preset-field.tsx'
import { SERVICES } from '../../parts/source/services.ts'
import { openSourceDialog } from '../../parts/source/source-dialog.tsx'
import { linkTo } from '../../paths.ts'
import { navigate } from '../../state/location.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { $presets } from '../../state/sources.ts'
import { deletionOf, hasTrash } from '../../state/trash.ts'
import { type Translation, t } from '../../text/language.ts'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'

const TEXT = {
  title: ['Destinations', '目标'],
  name: ['Name', '名称'],
  protocol: ['Protocol', '协议'],
  address: ['Address', '地址'],
  addOutput: ['Add output', '添加输出'],
  edit: ['Edit {0}', '编辑 {0}'],
  remove: ['Delete {0}', '删除 {0}'],
  removeText: ['This cannot be undone.', '此操作无法撤销。']
} as const satisfies Record<string, Translation>

type Destination = PresetFields & { id: number | string }

/** Public services, which every hub has. */
const PUBLIC: readonly Destination[] = SERVICES.map(({ id, name, url }) => ({
  id,
  name,
  protocol: RTMP,
  config: { url }
}))

const isStored = (destination: Destination): destination is OutputPreset => typeof destination.id === 'number'

const protocolOf = ({ protocol }: Destination) => OUTPUT_PROTOCOL_NAMES[protocol] ?? ''

function addressOf({ config }: Destination): string {
  const { url, 'dst-ip': host, 'dst-port': port, 'bind-port': ownPort } = config
  return String(url ?? (host ? `${host}:${port}` : (ownPort ?? '–')))
}

const COLUMNS: readonly Column<Destination>[] = [
  { key: 'name', title: TEXT.name, text: ({ name }) => name },
  { key: 'protocol', title: TEXT.protocol, text: protocolOf, hide: 'xxs' },
  { key: 'address', title: TEXT.address, text: addressOf, hide: 'xs' }
]

const ADD_OUTPUT: Action<Destination> = {
  call: addOutput,
  icon: 'output',
  verb: TEXT.addOutput,
  async run([destination]) {
    navigate(linkTo('outputs', { preset: String(destination?.id) }))
    return false
  }
}

const EDIT: Action<Destination> = {
  call: setPreset,
  icon: 'edit',
  verb: TEXT.edit,
  isApplicable: isStored,
  run: ([destination]) => openSourceDialog(PRESET_FORM, { source: destination as OutputPreset })
}

const REMOVE: Action<Destination> = {
  call: deletePreset,
  icon: 'delete',
  verb: TEXT.remove,
  kind: 'danger',
  isApplicable: isStored,
  confirmText: () => (hasTrash() ? undefined : t(TEXT.removeText)),
  run: ([destination]) => {
    const preset = destination as OutputPreset
    return succeeded(sendMutation(deletePreset, { id: preset.id }, deletionOf([preset])))
  }
}

export function DestinationListScreen() {
  const { items, phase } = useStore($presets)
  return (
    <ResourceList<Destination>
      store={$presets}
      rows={phase === 'ready' ? [...PUBLIC, ...items] : []}
      settingsKey="destinations"
      title={TEXT.title}
      columns={COLUMNS}
      sorting={{ key: 'name', order: 'ascending' }}
      searchTexts={(row) => [row.name, protocolOf(row), addressOf(row)]}
      addAction={{ call: addPreset, verb: PRESET_FORM.addLabel, onClick: () => openSourceDialog(PRESET_FORM) }}
      // What every row has is last, so that it is in one column.
      actions={[EDIT, REMOVE, ADD_OUTPUT]}
      trash="preset"
    />
  )
}
