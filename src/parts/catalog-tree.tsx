// The device groups in the menu: a tree with what can be done to them, on which devices can be dropped.
import { addCatalog, type Catalog, catalogName } from '../../contract/catalog.ts'
import { NAME_EXISTS, SUCCESS } from '../../contract/codes.ts'
import { getGlobalDevice } from '../../contract/device.ts'
import { CATALOG_DEPTH_MAX } from '../../contract/limits.ts'
import { FormDialog } from '../form/form-dialog.tsx'
import { TextField } from '../form/text-field.tsx'
import { useForm } from '../form/use-form.ts'
import { send } from '../link/send.ts'
import { link } from '../paths.ts'
import {
  $branches,
  $catalogs,
  type Branch,
  changeCatalog,
  createCatalog,
  removeCatalog,
  secureCatalog
} from '../state/catalogs.ts'
import { $dragged } from '../state/dragged.ts'
import { currentLink, navigate } from '../state/location.ts'
import { $may } from '../state/session.ts'
import { tell } from '../state/toasts.ts'
import { type Pair, t } from '../text/language.ts'
import { confirm } from '../ui/confirm.tsx'
import { MenuButton, type MenuItem } from '../ui/menu-button.tsx'
import * as UI from '../ui/text.ts'
import { Tree, type TreeNode } from '../ui/tree.tsx'
import { useStore } from '../ui/use-store.ts'
import { moveDevices } from './device-actions.tsx'
import { openDialog } from './dialog-host.tsx'
import { VisibilityDialog } from './visibility-dialog.tsx'

const TEXT = {
  groups: ['Device Groups', '设备分组'],
  none: ['No group', '未分组'],
  add: ['Add group', '添加分组'],
  addIn: ['Add group in {0}', '在{0}中添加分组'],
  tooDeep: ['Groups can be {0} levels deep at most', '分组最多 {0} 级'],
  name: ['Name', '名称'],
  rename: ['Rename group', '重命名分组'],
  save: ['Save', '保存'],
  remove: ['Delete group', '删除分组'],
  removeTitle: ['Delete group {0}?', '删除分组{0}？'],
  toParent: ['What is in it goes to {0}.', '其中的内容将移到{0}。'],
  toTop: [
    'Its devices are then in no group, and its groups at the top.',
    '其中的设备将不属于任何分组，子分组移到顶层。'
  ],
  empty: ['Nothing is in it.', '其中没有内容。'],
  security: ['Security…', '安全设置…'],
  securityOf: ['Who sees {0}', '{0}的可见范围'],
  standard: ['Default security…', '默认安全设置…'],
  standardOf: ['Who sees devices and groups by default', '设备和分组的默认可见范围'],
  count: ['{own} in it, {below} below; {online} online', '本组 {own} 台，下级 {below} 台，在线 {online} 台']
} as const satisfies Record<string, Pair>

interface NameDialogProps {
  title: string
  verb: string
  name?: string
  save: (name: string) => ReturnType<typeof changeCatalog>
  onClose: (well?: boolean) => void
}

function NameDialog({ title, verb, name = '', save, onClose }: NameDialogProps) {
  const form = useForm({ name: catalogName }, { name }, (values) => save(values.name), {
    codes: { [NAME_EXISTS]: 'name' },
    done: () => onClose(true)
  })
  return (
    <FormDialog form={form} title={title} verb={verb} onClose={() => onClose()}>
      <TextField {...form.field('name')} label={t(TEXT.name)} autoFocus />
    </FormDialog>
  )
}

function add(parent?: Catalog): void {
  const title = parent ? t(TEXT.addIn, parent.name) : t(TEXT.add)
  const save = (name: string) => createCatalog(parent?.id ?? 0, name)
  void openDialog((close) => <NameDialog title={title} verb={t(TEXT.add)} save={save} onClose={close} />)
}

function rename({ id, name }: Catalog): void {
  const save = (next: string) => changeCatalog(id, next)
  void openDialog((close) => (
    <NameDialog title={t(TEXT.rename)} verb={t(TEXT.save)} name={name} save={save} onClose={close} />
  ))
}

async function remove({ catalog, branches }: Branch): Promise<void> {
  const { id, name, 'parent-id': parentId, 'num-all': devices } = catalog
  const parent = $catalogs.get().items.find((other) => other.id === parentId)
  const full = branches.length + devices > 0
  const text = full ? (parent ? t(TEXT.toParent, parent.name) : t(TEXT.toTop)) : t(TEXT.empty)
  if (!(await confirm({ title: t(TEXT.removeTitle, name), text, verb: t(TEXT.remove), danger: true }))) return
  const here = currentLink().startsWith(link('groupDevices', { catalog: String(id) }))
  if ((await removeCatalog(id, full)) && here)
    navigate(parent ? link('groupDevices', { catalog: String(parentId) }) : link('allDevices'), { replace: true })
}

function secure(catalog: Catalog): void {
  void openDialog((close) => (
    <VisibilityDialog
      title={t(TEXT.securityOf, catalog.name)}
      now={catalog}
      save={async (security) => (await secureCatalog(catalog.id, security)).result === SUCCESS}
      onClose={close}
    />
  ))
}

async function secureAll(): Promise<void> {
  const answer = await send(getGlobalDevice, {})
  if (answer.result !== SUCCESS) return tell(answer)
  void openDialog((close) => (
    <VisibilityDialog
      title={t(TEXT.standardOf)}
      now={answer.security}
      save={async (security) => (await secureCatalog(0, security)).result === SUCCESS}
      onClose={close}
    />
  ))
}

/** What can be done to a group. */
function itemsOf(branch: Branch): MenuItem[] {
  const { catalog, level } = branch
  const deep = level >= CATALOG_DEPTH_MAX
  return [
    {
      label: t(TEXT.add),
      icon: 'plus',
      disabled: deep,
      tip: deep ? t(TEXT.tooDeep, CATALOG_DEPTH_MAX) : undefined,
      onSelect: () => add(catalog)
    },
    { label: t(TEXT.rename), icon: 'edit', onSelect: () => rename(catalog) },
    { label: t(TEXT.security), icon: 'key', onSelect: () => secure(catalog) },
    { label: t(TEXT.remove), icon: 'delete', danger: true, onSelect: () => void remove(branch) }
  ]
}

/** @param selected id of the group that is shown */
export function CatalogTree({ selected }: { selected?: string }) {
  const branches = useStore($branches)
  const mayEdit = useStore($may)(addCatalog)
  const dragged = useStore($dragged)

  const nodeOf = (branch: Branch): TreeNode => {
    const { catalog, all, online } = branch
    const { name, 'num-all': own } = catalog
    return {
      id: String(catalog.id),
      label: name,
      icon: 'group',
      children: branch.branches.map(nodeOf),
      end: (
        <>
          <span className="num" data-tip={t(TEXT.count, { own, below: all - own, online })}>
            {all}
          </span>
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
