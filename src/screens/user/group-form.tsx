import { useEffect, useState } from 'react'
import { GROUP_CUSTOM } from '../../../contract/access/permissions.ts'
import type { UserGroup } from '../../../contract/access/user.ts'
import { ALREADY_EXISTS, STATE_CHANGED, SUCCESS } from '../../../contract/codes.ts'
import { atLeastOnePermission, groupDescription, groupName } from '../../../contract/rules/account.ts'
import type { RuleSet } from '../../../contract/rules/rules.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { linkTo } from '../../paths.ts'
import { navigate } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { groupReason } from './management.ts'
import { PermissionEditor } from './permission-editor.tsx'
import { saveGroup } from './store.ts'
import { TEXT } from './text.ts'

interface Values {
  name: string
  desc: string
  permissions: number
  'require-second-factor': boolean
}

const RULES: RuleSet<Values> = { name: groupName, desc: groupDescription, permissions: atLeastOnePermission }

/** Edits a user group or adds one. Built-in groups are read-only. */
export function GroupForm({ group }: { group?: UserGroup }) {
  const { name = '', desc = '', permission: permissions = 0, type = GROUP_CUSTOM } = group ?? {}
  const demand = group?.['require-second-factor'] ?? false
  const saved: Values = { name, desc, permissions, 'require-second-factor': demand }
  const savedText = JSON.stringify(saved)
  /** The values with which the form was filled, or that were saved since, as JSON. */
  const [baseText, setBaseText] = useState(savedText)
  const form = useForm<Values>(
    RULES,
    saved,
    async (values, options) => {
      const reply = await saveGroup(group?.id, JSON.parse(baseText), values, options)
      const { result, id } = reply
      // After a success or a conflicting change, the form follows the hub's values again.
      if (result === SUCCESS || result === STATE_CHANGED) setBaseText(JSON.stringify(values))
      if (result === SUCCESS && !group) navigate(linkTo('userGroup', { groupId: String(id) }), { replace: true })
      return reply
    },
    { fieldOfCode: { [ALREADY_EXISTS]: 'name' } }
  )
  const isChanged = JSON.stringify(form.values) !== baseText
  // New values from the hub replace the form's values unless the user has edited them.
  useEffect(() => {
    if (isChanged || baseText === savedText) return
    setBaseText(savedText)
    form.setValues(JSON.parse(savedText))
  }, [savedText, baseText])
  const isCustom = type === GROUP_CUSTOM
  const reason = group && groupReason(group)
  return (
    <form noValidate onSubmit={form.submit}>
      <Card title={t(group ? TEXT.rights : TEXT.addGroup)}>
        {reason && <p className="muted">{reason}</p>}
        {isCustom && !reason && (
          <div className="fields">
            <TextField {...form.field('name')} label={t(TEXT.groupName)} />
            <TextField {...form.field('desc')} label={t(TEXT.desc)} />
          </div>
        )}
        {!isCustom && !reason && <p className="muted">{t(TEXT.builtIn)}</p>}
        <PermissionEditor
          {...form.field('permissions')}
          readOnly={!isCustom || reason !== undefined}
          saved={permissions}
        />
        {!reason && (
          <>
            <SwitchField {...form.field('require-second-factor')} label={t(TEXT.demand)} />
            <Button submit kind="main" label={t(TEXT.save)} busy={form.busy} />
          </>
        )}
      </Card>
    </form>
  )
}
