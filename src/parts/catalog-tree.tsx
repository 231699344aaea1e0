// The device groups in the menu: a tree with what can be done to them, on which devices can be dropped.
import { addCatalog, type Catalog, catalogName } from '../../contract/catalog.ts'
import { SUCCESS } from '../../contract/codes.ts'
import { type DeviceSecurity, getGlobalDevice } from '../../contract/device/device.ts'
import { CATALOG_DEPTH_MAX } from '../../contract/limits.ts'
import { send } from '../link/send.ts'
import { link } from '../paths.ts'
import {
  $branches,
  type Branch,
  changeCatalog,
  createCatalog,
  removeCatalog,
  secureCatalog
} from '../state/catalogs.ts'
import { $dragged } from '../state/drag.ts'
import { currentLink, navigate } from '../state/location.ts'
import { $may } from '../state/session.ts'
import { tell } from '../state/toasts.ts'
import { type Pair, t } from '../text/language.ts'
import { confirm } from '../ui/dialog/confirm.tsx'
import { openDialog } from '../ui/dialog/dialog-host.tsx'
import { MenuButton, type MenuItem } from '../ui/menu-button.tsx'
import * as UI from '../ui/text.ts'
import { Tree, type TreeNode } from '../ui/tree.tsx'
import { useStore } from '../ui/use-store.ts'
import { ASK, verbOf } from './actions.tsx'
import { moveDevices } from './device/device-actions.tsx'
import { askName } from './device/device-dialogs.tsx'
import { VisibilityDialog } from './visibility-dialog.tsx'

const TEXT = {
  groups: ['Device Groups', '设备分组'],
  none: ['No group', '未分组'],
  add: ['Add group', '添加分组'],
  addIn: ['Add group in {0}', '在{0}中添加分组'],
  tooDeep: ['{0} levels at most', '最多 {0} 级'],
  rename: ['Rename {0}', '重命名 {0}'],
  remove: ['Delete {0}', '删除 {0}'],
  removeText: ['What is in it moves up a level.', '其中的内容将移到上一级。'],
  security: ['Security', '安全设置'],
  securityOf: ['Who sees {0}', '{0}的可见范围'],
  standard: ['Default security', '默认安全设置']
} as const satisfies Record<string, Pair>

/** Where a group is shown; 0 = what is in none. */
const placeOf = (id: number) => link('groupDevices', { catalog: String(id) })

/** Adds a group, below another where there is one. */
function add(parent?: Catalog): void {
  void askName({
    title: parent ? t(TEXT.addIn, parent.name) : t(TEXT.add),
    rule: catalogName,
    save: (name, options) => createCatalog(parent?.id ?? 0, name, options)
  })
}

function rename({ id, name }: Catalog): void {
  void askName({
    title: t(TEXT.rename, name),
    name,
    rule: catalogName,
    save: (next, options) => changeCatalog(id, next, options)
  })
}

async function remove({ id, name, 'parent-id': parent }: Catalog): Promise<void> {
  const verb = verbOf(TEXT.remove, name)
  if (!(await confirm({ title: t(ASK, verb), text: t(TEXT.removeText), verb, danger: true }))) return
  const here = currentLink().startsWith(placeOf(id))
  if ((await removeCatalog(id)) && here) navigate(placeOf(parent), { replace: true })
}

/** Asks who sees a group, or with id 0 what is global, and sets it. */
function secure(id: number, title: string, now: Partial<DeviceSecurity>): void {
  void openDialog(VisibilityDialog, { title, now, save: (security) => secureCatalog(id, security) })
}

async function secureAll(): Promise<void> {
  const answer = await send(getGlobalDevice, {})
  if (answer.result === SUCCESS) secure(0, t(TEXT.standard), answer.security)
  else tell(answer)
}

/** What can be done to a group. */
function itemsOf({ catalog, level }: Branch): MenuItem[] {
  const deep = level >= CATALOG_DEPTH_MAX
  return [
    {
      label: t(TEXT.add),
      icon: 'plus',
      disabled: deep,
      tip: deep ? t(TEXT.tooDeep, CATALOG_DEPTH_MAX) : undefined,
      onSelect: () => add(catalog)
    },
    { label: verbOf(TEXT.rename), icon: 'edit', onSelect: () => rename(catalog) },
    {
      label: t(TEXT.security),
      icon: 'key',
      onSelect: () => secure(catalog.id, t(TEXT.securityOf, catalog.name), catalog)
    },
    { label: verbOf(TEXT.remove), icon: 'delete', danger: true, onSelect: () => void remove(catalog) }
  ]
}

/** @param selected id of the group that is shown */
export function CatalogTree({ selected }: { selected?: string }) {
  const branches = useStore($branches)
  const mayEdit = useStore($may)(addCatalog)
  const dragged = useStore($dragged)

  const nodeOf = (branch: Branch): TreeNode => {
    const { catalog, all } = branch
    const { name } = catalog
    return {
      id: String(catalog.id),
      label: name,
      icon: 'group',
      children: branch.branches.map(nodeOf),
      end: (
        <>
          <span className="num">{all}</span>
          {mayEdit && <MenuButton bare aside label={t(UI.actionsOf, name)} items={itemsOf(branch)} />}
        </>
      )
    }
  }
  async function put(id: string): Promise<void> {
    const devices = await dragged?.()
    if (devices?.length) await moveDevices(devices, Number(id))
  }

  if (branches.length === 0 && !mayEdit) return null
  return (
    <>
      <h3 className="beside">
        {t(TEXT.groups)}
        {mayEdit && (
          <MenuButton
            bare
            label={t(UI.actionsOf, t(TEXT.groups))}
            items={[
              { label: t(TEXT.add), icon: 'plus', onSelect: () => add() },
              { label: t(TEXT.standard), icon: 'key', onSelect: () => void secureAll() }
            ]}
          />
        )}
      </h3>
      {branches.length > 0 && (
        <Tree
          label={t(TEXT.groups)}
          nodes={[...branches.map(nodeOf), { id: '0', label: t(TEXT.none), icon: 'devices' }]}
          selected={selected}
          onSelect={(id) => navigate(link('groupDevices', { catalog: id }))}
          onDrop={dragged ? (id) => void put(id) : undefined}
        />
      )}
    </>
  )
}
