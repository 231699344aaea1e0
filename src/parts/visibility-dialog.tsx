// Who may see a device or a group: as what it is in says, or users and user groups by name. Of the global default there is nothing above.
import type { ReactNode } from 'react'
import { ALL_GROUPS, type DeviceSecurity } from '../../contract/device/device.ts'
import { GROUP_ADMIN, holds } from '../../contract/permissions.ts'
import { FormDialog } from '../form/form-dialog.tsx'
import { SwitchField } from '../form/switch-field.tsx'
import { useForm } from '../form/use-form.ts'
import { $people } from '../state/users.ts'
import { type Pair, t } from '../text/language.ts'
import { useStore } from '../ui/use-store.ts'
import { useInstead } from './load-state.tsx'

const TEXT = {
  inherit: ['Inherit', '继承上级'],
  inheritHint: ['From its group, else the default', '来自所在分组，否则为默认'],
  groups: ['User groups', '用户组'],
  allGroups: ['All, also those to come', '全部（包括以后新增的）'],
  users: ['Users', '用户']
} as const satisfies Record<string, Pair>

interface VisibilityDialogProps {
  /** What it is about. */
  title: string
  /** What stands now; without `is-inherit` it cannot inherit. */
  now: Partial<DeviceSecurity>
  save: (security: DeviceSecurity) => Promise<boolean>
  /** @param well it was saved */
  onClose: (well?: boolean) => void
}

interface Named {
  id: number
  name: string
}

const maskOf = (some: readonly Named[]) => some.reduce((mask, { id }) => (mask | id) >>> 0, 0)

export function VisibilityDialog({ title, now, save, onClose }: VisibilityDialogProps) {
  const { value } = useStore($people)
  const instead = useInstead($people, !value, null)
  const inherits = now['is-inherit']
  // Administrators see everything.
  const people = {
    groups: value?.groups?.filter(({ type }) => type !== GROUP_ADMIN) ?? [],
    users: value?.users?.filter((user) => user['group-id'] !== GROUP_ADMIN) ?? []
  }
  const form = useForm(
    {},
    { inherit: Boolean(inherits), groups: now['group-mask'] ?? 0, users: now['usr-mask'] ?? 0 },
    async ({ inherit, groups, users }) => {
      if (instead) return undefined
      const security = inherit
        ? { 'is-inherit': 1 }
        : {
            'is-inherit': 0,
            // Bits of those who are gone are no longer anybody's.
            'group-mask': groups === ALL_GROUPS ? groups : (groups & maskOf(people.groups)) >>> 0,
            'usr-mask': (users & maskOf(people.users)) >>> 0
          }
      onClose(await save(security))
      return undefined
    }
  )
  const { values } = form
  const every = values.groups === ALL_GROUPS

  const box = (label: string, checked: boolean, turn: () => void, disabled?: boolean) => (
    <div key={label} className="check">
      <label>
        <input type="checkbox" checked={checked} disabled={disabled} onChange={turn} />
        {label}
      </label>
    </div>
  )
  const boxes = (field: 'groups' | 'users', disabled?: boolean): ReactNode =>
    people[field].map(({ id, name }) =>
      box(name, holds(values[field], id), () => form.set({ [field]: (values[field] ^ id) >>> 0 }), disabled)
    )

  return (
    <FormDialog form={form} title={title} onClose={onClose}>
      {inherits !== undefined && (
        <SwitchField {...form.field('inherit')} label={t(TEXT.inherit)} hint={t(TEXT.inheritHint)} />
      )}
      {!values.inherit &&
        (instead ?? (
          <>
            <fieldset className="field">
              <legend>{t(TEXT.groups)}</legend>
              {box(t(TEXT.allGroups), every, () => form.set({ groups: every ? maskOf(people.groups) : ALL_GROUPS }))}
              {boxes('groups', every)}
            </fieldset>
            {people.users.length > 0 && (
              <fieldset className="field">
                <legend>{t(TEXT.users)}</legend>
                {boxes('users')}
              </fieldset>
            )}
          </>
        ))}
    </FormDialog>
  )
}
