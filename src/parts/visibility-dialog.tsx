// Who may see a device or a group: as what it is in says, or users and user groups by name. Of the global default there is nothing above.
import { useEffect, useState } from 'react'
import { SUCCESS } from '../../contract/codes.ts'
import { ALL_GROUPS, type DeviceSecurity } from '../../contract/device.ts'
import { GROUP_ADMIN, holds } from '../../contract/permissions.ts'
import { listUsers, type User, type UserGroup } from '../../contract/user.ts'
import { ChoiceField } from '../form/choice-field.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import { useForm } from '../form/use-form.ts'
import { send } from '../link/send.ts'
import { codeText } from '../text/codes.ts'
import { type Pair, t } from '../text/language.ts'
import { Failed, Skeleton } from '../ui/condition.tsx'

const TEXT = {
  who: ['Who sees it', '可见范围'],
  inherit: ['Inherit', '继承上级'],
  inheritHint: [
    'As the group that it is in says, and where there is none or that inherits too, the global default.',
    '与所在分组一致；没有分组或该分组也继承时，使用全局默认设置。'
  ],
  own: ['Chosen', '指定'],
  groups: ['User groups', '用户组'],
  allGroups: ['All, also those to come', '全部（包括以后新增的）'],
  admin: ['Administrators see everything.', '管理员始终可见。'],
  users: ['Users', '用户'],
  save: ['Save', '保存']
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

interface People {
  users: readonly User[]
  groups: readonly UserGroup[]
}

/** The people there are, asked for once; a result code where they could not be had. */
function usePeople(): People | number | undefined {
  const [people, setPeople] = useState<People | number>()
  useEffect(() => {
    void send(listUsers, {}).then(({ result, users = [], groups = [] }) =>
      setPeople(
        result === SUCCESS
          ? {
              groups: groups.filter(({ type }) => type !== GROUP_ADMIN),
              users: users.filter((user) => user['group-id'] !== GROUP_ADMIN)
            }
          : result
      )
    )
  }, [])
  return people
}

const maskOf = (some: readonly { id: number }[]) => some.reduce((mask, { id }) => (mask | id) >>> 0, 0)

export function VisibilityDialog({ title, now, save, onClose }: VisibilityDialogProps) {
  const people = usePeople()
  const inherits = now['is-inherit']
  const form = useForm(
    {},
    {
      mode: inherits ? 'inherit' : 'own',
      groups: now['group-mask'] ?? 0,
      users: now['usr-mask'] ?? 0
    } as { mode: 'inherit' | 'own'; groups: number; users: number },
    async ({ mode, groups, users }) => {
      if (typeof people !== 'object') return undefined
      // Bits of those who are gone are no longer anybody's.
      const known = (mask: number, some: readonly { id: number }[]) => (mask & maskOf(some)) >>> 0
      const masks = {
        'group-mask': groups === ALL_GROUPS ? groups : known(groups, people.groups),
        'usr-mask': known(users, people.users)
      }
      onClose(await save(mode === 'inherit' ? { 'is-inherit': 1 } : { 'is-inherit': 0, ...masks }))
      return undefined
    }
  )
  const { mode, groups, users } = form.values
  const every = groups === ALL_GROUPS

  const boxes = (some: readonly { id: number; name: string }[], mask: number, field: 'groups' | 'users') =>
    some.map(({ id, name }) => (
      <Box
        key={id}
        label={name}
        checked={holds(mask, id)}
        disabled={field === 'groups' && every}
        onChange={() => form.set({ [field]: (mask ^ id) >>> 0 })}
      />
    ))

  return (
    <FormDialog form={form} title={title} verb={t(TEXT.save)} onClose={() => onClose()}>
      {inherits !== undefined && (
        <ChoiceField
          {...form.field('mode')}
          label={t(TEXT.who)}
          hint={mode === 'inherit' ? t(TEXT.inheritHint) : undefined}
          options={[
            { value: 'inherit', label: t(TEXT.inherit) },
            { value: 'own', label: t(TEXT.own) }
          ]}
        />
      )}
      {mode === 'own' &&
        (typeof people === 'number' ? (
          <Failed text={codeText(people)} />
        ) : people ? (
          <>
            <fieldset className="field">
              <legend>{t(TEXT.groups)}</legend>
              <Box
                label={t(TEXT.allGroups)}
                checked={every}
                onChange={() => form.set({ groups: every ? maskOf(people.groups) : ALL_GROUPS })}
              />
              {boxes(people.groups, groups, 'groups')}
              <small>{t(TEXT.admin)}</small>
            </fieldset>
            {people.users.length > 0 && (
              <fieldset className="field">
                <legend>{t(TEXT.users)}</legend>
                {boxes(people.users, users, 'users')}
              </fieldset>
            )}
          </>
        ) : (
          <Skeleton />
        ))}
    </FormDialog>
  )
}

interface BoxProps {
  label: string
  checked: boolean
  disabled?: boolean
  onChange: () => void
}

function Box({ label, checked, disabled, onChange }: BoxProps) {
  return (
    <div className="check">
      <label>
        <input type="checkbox" checked={checked} disabled={disabled} onChange={onChange} />
        {label}
      </label>
    </div>
  )
}
