// Edits who sees devices, a device group or channels: inherited, or selected user groups and users. A global default cannot inherit.
import type { ReactNode } from 'react'
import { hasAnyBit } from '../../../contract/access/permissions.ts'
import { ALL_GROUPS, type ObjectSecurity, type Visibility } from '../../../contract/access/visibility.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { $users } from '../../state/users.ts'
import { type Translation, t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import { usePlaceholder } from '../load-state.tsx'
import { audienceText, listedAudiences } from './audience.ts'

const TEXT = {
  inherit: ['Inherit', '继承'],
  inheritHint: ['From {0}: {1}', '继承自{0}：{1}'],
  inheritMixed: ['From the group of each device, or the default', '继承自各设备所在分组或默认设置'],
  start: ['Begins with those who see it now.', '初始选择为当前可见的用户。'],
  mixed: ['Access differs now. What you save applies to all of them.', '当前设置不一致。保存后将应用到全部所选项。'],
  everyone: ['Everyone, including new groups', '所有人（包括以后新增的用户组）'],
  groups: ['User groups', '用户组'],
  users: ['Users', '用户'],
  through: ['sees it through {0}', '已通过{0}可见'],
  nobody: ['Nobody is selected: only administrators will see it.', '未选择任何人：仅管理员可见。'],
  admins: ['Administrators always see everything.', '管理员始终可见全部内容。']
} as const satisfies Record<string, Translation>

/** An object with its own setting, and what it inherits if it can. */
export interface AccessObject {
  own: Partial<ObjectSecurity>
  inherited?: {
    masks: Visibility
    /** Such as 'group Studio', for use in a sentence. */
    source: string
  }
}

interface VisibilityDialogProps {
  title: string
  /** At least one. */
  objects: readonly AccessObject[]
  save: (security: ObjectSecurity) => Promise<boolean>
  onClose: (succeeded?: boolean) => void
}

interface NamedBit {
  id: number
  name: string
}

const maskOf = (entries: readonly NamedBit[]) => entries.reduce((mask, { id }) => (mask | id) >>> 0, 0)

const isInheriting = ({ own, inherited }: AccessObject) => inherited !== undefined && Boolean(own['is-inherit'])

/** The masks that apply to an object now. */
const effectiveMasks = (object: AccessObject): Partial<Visibility> =>
  isInheriting(object) ? (object.inherited?.masks ?? {}) : object.own

/** Whether `describe` gives the same for all objects. */
const isUniform = (objects: readonly AccessObject[], describe: (object: AccessObject) => unknown) =>
  new Set(objects.map((object) => JSON.stringify(describe(object)))).size <= 1

const settingOf = (object: AccessObject) => {
  const { 'group-mask': groups, 'usr-mask': users } = effectiveMasks(object)
  return [isInheriting(object), groups, users]
}

export function VisibilityDialog({ title, objects, save, onClose }: VisibilityDialogProps) {
  const { value } = useStore($users)
  const placeholder = usePlaceholder($users, !value, null)
  const choices = listedAudiences(value)
  const first = objects[0] ?? { own: {} }
  const { inherited } = first
  const begin = effectiveMasks(first)
  const form = useForm(
    {},
    { inherit: objects.every(isInheriting), groups: begin['group-mask'] ?? 0, users: begin['usr-mask'] ?? 0 },
    async ({ inherit, groups, users }) => {
      if (placeholder) return undefined
      const security = inherit
        ? { 'is-inherit': 1 }
        : {
            'is-inherit': 0,
            // Clears the bits of deleted users and groups.
            'group-mask': groups === ALL_GROUPS ? groups : (groups & maskOf(choices.groups)) >>> 0,
            'usr-mask': (users & maskOf(choices.users)) >>> 0
          }
      onClose(await save(security))
      return undefined
    }
  )
  const { values } = form
  const isEveryone = values.groups === ALL_GROUPS

  const checkbox = (label: string, checked: boolean, toggle: () => void, note?: string) => (
    <div key={label} className="check row">
      <label>
        <input type="checkbox" checked={checked} onChange={toggle} />
        {label}
      </label>
      {note && <span className="muted">{note}</span>}
    </div>
  )
  const toggleOf = (field: 'groups' | 'users', id: number) => () =>
    form.setValues({ [field]: (values[field] ^ id) >>> 0 })
  const list = (legend: Translation, boxes: readonly ReactNode[]) =>
    boxes.length > 0 && (
      <fieldset className="field">
        <legend>{t(legend)}</legend>
        {boxes}
      </fieldset>
    )

  function selection(): ReactNode {
    const groupBoxes = choices.groups.map(({ id, name }) =>
      checkbox(name, hasAnyBit(values.groups, id), toggleOf('groups', id))
    )
    const userBoxes = choices.users.map((user) =>
      checkbox(
        user.name,
        hasAnyBit(values.users, user.id),
        toggleOf('users', user.id),
        hasAnyBit(values.groups, user['group-id']) ? t(TEXT.through, user['group-name']) : user['group-name']
      )
    )
    return (
      <>
        {isInheriting(first) && <p className="muted">{t(TEXT.start)}</p>}
        <div className="field">
          {checkbox(t(TEXT.everyone), isEveryone, () => form.setValues({ groups: isEveryone ? 0 : ALL_GROUPS }))}
        </div>
        {!isEveryone && (
          <>
            {list(TEXT.groups, groupBoxes)}
            {list(TEXT.users, userBoxes)}
            {!values.groups && !values.users && <p className="banner">{t(TEXT.nobody)}</p>}
          </>
        )}
        <p className="muted">{t(TEXT.admins)}</p>
      </>
    )
  }

  return (
    <FormDialog form={form} title={title} onClose={onClose}>
      {!isUniform(objects, settingOf) && <p className="banner">{t(TEXT.mixed)}</p>}
      {inherited && (
        <SwitchField
          {...form.field('inherit')}
          label={t(TEXT.inherit)}
          hint={
            isUniform(objects, (object) => object.inherited)
              ? t(TEXT.inheritHint, inherited.source, audienceText(inherited.masks, choices))
              : t(TEXT.inheritMixed)
          }
        />
      )}
      {!values.inherit && (placeholder ?? selection())}
    </FormDialog>
  )
}
