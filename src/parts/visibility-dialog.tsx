// Edits the visibility of a device or a device group: inherited from its group, or granted to users and user groups.
// The global default cannot inherit.
import type { ReactNode } from 'react'
import { GROUP_ADMIN, hasAnyBit } from '../../contract/access/permissions.ts'
import { ALL_GROUPS, type DeviceSecurity } from '../../contract/device/visibility.ts'
import { FormDialog } from '../form/form-dialog.tsx'
import { SwitchField } from '../form/switch-field.tsx'
import { useForm } from '../form/use-form.ts'
import { $users } from '../state/users.ts'
import { type Translation, t } from '../text/language.ts'
import { useStore } from '../ui/use-store.ts'
import { usePlaceholder } from './load-state.tsx'

const TEXT = {
  inherit: ['Inherit', '继承上级'],
  inheritHint: ['From its group, else the default', '来自所在分组，否则为默认'],
  groups: ['User groups', '用户组'],
  allGroups: ['All, including future groups', '全部（包括以后新增的）'],
  users: ['Users', '用户']
} as const satisfies Record<string, Translation>

interface VisibilityDialogProps {
  title: string
  /** The current visibility. Without `is-inherit` there is no switch to inherit. */
  current: Partial<DeviceSecurity>
  save: (security: DeviceSecurity) => Promise<boolean>
  onClose: (succeeded?: boolean) => void
}

interface NamedBit {
  id: number
  name: string
}

const maskOf = (entries: readonly NamedBit[]) => entries.reduce((mask, { id }) => (mask | id) >>> 0, 0)

export function VisibilityDialog({ title, current, save, onClose }: VisibilityDialogProps) {
  const { value } = useStore($users)
  const placeholder = usePlaceholder($users, !value, null)
  const isInheriting = current['is-inherit']
  // Administrators see every device, so they are not listed.
  const choices = {
    groups: value?.groups?.filter(({ type }) => type !== GROUP_ADMIN) ?? [],
    users: value?.users?.filter((user) => user['group-id'] !== GROUP_ADMIN) ?? []
  }
  const form = useForm(
    {},
    { inherit: Boolean(isInheriting), groups: current['group-mask'] ?? 0, users: current['usr-mask'] ?? 0 },
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
  const isAllGroups = values.groups === ALL_GROUPS

  const checkbox = (label: string, checked: boolean, toggle: () => void, disabled?: boolean) => (
    <div key={label} className="check">
      <label>
        <input type="checkbox" checked={checked} disabled={disabled} onChange={toggle} />
        {label}
      </label>
    </div>
  )
  const checkboxes = (field: 'groups' | 'users', disabled?: boolean): ReactNode =>
    choices[field].map(({ id, name }) =>
      checkbox(
        name,
        hasAnyBit(values[field], id),
        () => form.setValues({ [field]: (values[field] ^ id) >>> 0 }),
        disabled
      )
    )

  return (
    <FormDialog form={form} title={title} onClose={onClose}>
      {isInheriting !== undefined && (
        <SwitchField {...form.field('inherit')} label={t(TEXT.inherit)} hint={t(TEXT.inheritHint)} />
      )}
      {!values.inherit &&
        (placeholder ?? (
          <>
            <fieldset className="field">
              <legend>{t(TEXT.groups)}</legend>
              {checkbox(t(TEXT.allGroups), isAllGroups, () =>
                form.setValues({ groups: isAllGroups ? maskOf(choices.groups) : ALL_GROUPS })
              )}
              {checkboxes('groups', isAllGroups)}
            </fieldset>
            {choices.users.length > 0 && (
              <fieldset className="field">
                <legend>{t(TEXT.users)}</legend>
                {checkboxes('users')}
              </fieldset>
            )}
          </>
        ))}
    </FormDialog>
  )
}
