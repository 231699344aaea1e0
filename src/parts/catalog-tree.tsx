// Device groups in the menu: a tree with a menu for each group. Devices can be dropped on a group.

import { addCatalog, type Catalog, catalogName } from '../../contract/catalog.ts'
import { setGlobalDevice } from '../../contract/device/device.ts'
import { CATALOG_DEPTH_MAX } from '../../contract/limits.ts'
import { linkTo } from '../paths.ts'
import {
  $catalogTree,
  type CatalogNode,
  createCatalog,
  deleteCatalogById,
  renameCatalogById
} from '../state/catalogs.ts'
import { $draggedDevices } from '../state/drag.ts'
import { currentLink, navigate } from '../state/location.ts'
import { $isAllowed } from '../state/session.ts'
import { hasTrash } from '../state/trash.ts'
import { type Translation, t } from '../text/language.ts'
import { confirm } from '../ui/dialog/confirm.tsx'
import { MenuButton, type MenuItem } from '../ui/menu-button.tsx'
import * as UI from '../ui/text.ts'
import { Tree, type TreeNode } from '../ui/tree.tsx'
import { useStore } from '../ui/use-store.ts'
import { openAccess } from './access/open-access.ts'
import * as ACCESS_TEXT from './access/text.ts'
import { verbText } from './actions.tsx'
import { whileDeleting } from './deleted-state.tsx'
import { moveDevices } from './device/device-actions.tsx'
import { openNameDialog } from './device/device-dialogs.tsx'

const TEXT = {
  groups: ['Device groups', '设备组'],
  none: ['No group', '未分组'],
  add: ['Add group', '添加分组'],
  addIn: ['Add group in {0}', '在{0}中添加分组'],
  tooDeep: ['{0} levels at most', '最多 {0} 级'],
  renameGroup: ['Rename {0}', '重命名 {0}'],
  removeGroup: ['Delete {0}', '删除 {0}'],
  trash: ['Trash', '回收站'],
  removeText: ['Its contents move up one level.', '其中的内容将移到上一级。']
} as const satisfies Record<string, Translation>

/** Link to the device list of a group; 0 = devices without a group. */
const catalogLink = (id: number) => linkTo('groupDevices', { catalog: String(id) })

/** Adds a group at the top or below a parent. */
function addGroup(parent?: Catalog): void {
  void openNameDialog({
    title: parent ? t(TEXT.addIn, parent.name) : t(TEXT.add),
    rule: catalogName,
    save: (name, options) => createCatalog(parent?.id ?? 0, name, options)
  })
}

function renameGroup({ id, name }: Catalog): void {
  void openNameDialog({
    title: t(TEXT.renameGroup, name),
    name,
    rule: catalogName,
    save: (newName, options) => renameCatalogById(id, newName, options, name)
  })
}

async function removeGroup({ id, name, 'parent-id': parent }: Catalog): Promise<void> {
  const verb = verbText(TEXT.removeGroup, name)
  if (!hasTrash() && !(await confirm({ text: t(TEXT.removeText), confirmLabel: verb, danger: true }))) return
  const isOpen = currentLink().startsWith(catalogLink(id))
  if ((await whileDeleting(() => deleteCatalogById(id, name))) && isOpen)
    navigate(catalogLink(parent), { replace: true })
}

function menuItemsOf({ catalog, level }: CatalogNode): MenuItem[] {
  const isDeepest = level >= CATALOG_DEPTH_MAX
  return [
    {
      label: t(TEXT.add),
      icon: 'plus',
      disabled: isDeepest,
      tooltip: isDeepest ? t(TEXT.tooDeep, CATALOG_DEPTH_MAX) : undefined,
      onSelect: () => addGroup(catalog)
    },
    { label: verbText(TEXT.renameGroup), icon: 'edit', onSelect: () => renameGroup(catalog) },
    {
      label: t(ACCESS_TEXT.access),
      icon: 'key',
      onSelect: () => void openAccess({ of: 'catalog', objects: [catalog] })
    },
    { label: verbText(TEXT.removeGroup), icon: 'delete', danger: true, onSelect: () => void removeGroup(catalog) }
  ]
}

interface CatalogTreeProps {
  title?: Translation
  /** Id of the group whose devices are shown. */
  selected?: string | undefined
}

export function CatalogTree({ title = TEXT.groups, selected }: CatalogTreeProps) {
  const tree = useStore($catalogTree)
  const isAllowed = useStore($isAllowed)
  const isEditable = isAllowed(addCatalog)
  const isAdmin = isAllowed({ access: 'admin', path: setGlobalDevice.path })
  const fetchDragged = useStore($draggedDevices)

  const nodeOf = (node: CatalogNode): TreeNode => {
    const { catalog, deviceCount } = node
    const { name } = catalog
    return {
      id: String(catalog.id),
      label: name,
      icon: 'group',
      children: node.children.map(nodeOf),
      open: catalog.isOpen,
      end: (
        <>
          <span className="num">{deviceCount}</span>
          {isEditable && <MenuButton iconOnly outOfTabOrder label={t(UI.actionsOf, name)} items={menuItemsOf(node)} />}
        </>
      )
    }
  }
  async function moveDraggedTo(id: string): Promise<void> {
    const devices = await fetchDragged?.()
    if (devices?.length) await moveDevices(devices, Number(id))
  }

  if (tree.length === 0 && !isEditable) return null
  return (
    <>
      <h3 className="beside">
        {t(title)}
        {isEditable && (
          <MenuButton
            iconOnly
            label={t(UI.actionsOf, t(title))}
            items={[
              { label: t(TEXT.add), icon: 'plus', onSelect: () => addGroup() },
              ...(isAdmin
                ? [
                    {
                      label: t(ACCESS_TEXT.deviceDefault),
                      icon: 'key' as const,
                      onSelect: () => void openAccess({ of: 'device' })
                    }
                  ]
                : []),
              ...(hasTrash()
                ? [
                    {
                      label: t(TEXT.trash),
                      icon: 'delete' as const,
                      onSelect: () => navigate(linkTo('trash', { kind: 'catalog' }))
                    }
                  ]
                : [])
            ]}
          />
        )}
      </h3>
      {tree.length > 0 && (
        <Tree
          label={t(TEXT.groups)}
          nodes={[...tree.map(nodeOf), { id: '0', label: t(TEXT.none), icon: 'devices' }]}
          selected={selected}
          onSelect={(id) => navigate(linkTo('groupDevices', { catalog: id }))}
          onDrop={fetchDragged ? (id) => void moveDraggedTo(id) : undefined}
        />
      )}
    </>
  )
}
