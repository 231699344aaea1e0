// List of the saved NDI sources.
import { NDI_SOURCE_ONLINE } from '../../../contract/codes.ts'
import { addNdiPreset, deleteNdiPresets, type NdiPreset, setNdiPreset } from '../../../contract/ndi/preset.ts'
import type { Action } from '../../parts/actions.tsx'
import { ResourceList } from '../../parts/resource-list.tsx'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { $ndiPresets } from '../../state/sources.ts'
import { deletionOf, hasTrash } from '../../state/trash.ts'
import { t } from '../../text/language.ts'
import type { Column } from '../../ui/table/table.tsx'
import { addPreset, editPreset } from './preset-dialog.ts'
import { TEXT } from './text.ts'
import { SourceUsers } from './users.tsx'

const stateText = ({ state }: NdiPreset) =>
  t(state === undefined ? TEXT.unknown : state === NDI_SOURCE_ONLINE ? TEXT.online : TEXT.offline)

const COLUMNS: readonly Column<NdiPreset>[] = [
  { key: 'name', title: TEXT.name, text: ({ name }) => name },
  { key: 'source', title: TEXT.source, text: ({ ndi }) => ndi.name },
  { key: 'state', title: TEXT.state, text: stateText },
  {
    key: 'channels',
    title: TEXT.usedBy,
    cell: (preset) => <SourceUsers source={preset} isTitled />,
    sort: (preset) => preset['owner-i']?.join() ?? '',
    hide: 'xs'
  }
]

const EDIT: Action<NdiPreset> = {
  call: setNdiPreset,
  icon: 'edit',
  verb: TEXT.edit,
  run: async ([preset]) => preset !== undefined && editPreset(preset)
}

const REMOVE: Action<NdiPreset> = {
  call: deleteNdiPresets,
  icon: 'delete',
  verb: TEXT.remove,
  kind: 'danger',
  // For presets in use, the hub asks for confirmation itself.
  confirmText: (presets) =>
    hasTrash() || presets.some((preset) => preset['owner-i']?.length) ? undefined : t(TEXT.removeText),
  run: (presets) => succeeded(sendMutation(deleteNdiPresets, { id: presets.map(({ id }) => id) }, deletionOf(presets)))
}

export const PresetList = () => (
  <ResourceList
    store={$ndiPresets}
    settingsKey="ndi-presets"
    title={TEXT.presets}
    columns={COLUMNS}
    sorting={{ key: 'name', order: 'ascending' }}
    searchTexts={({ name, ndi }) => [name, ndi.name]}
    addAction={{ call: addNdiPreset, verb: TEXT.add, onClick: () => addPreset() }}
    emptyState={{ icon: 'camera', title: t(TEXT.noPresets), text: t(TEXT.noPresetsText) }}
    trash="input"
    actions={[EDIT, REMOVE]}
    bulkActions={[REMOVE]}
  />
)
