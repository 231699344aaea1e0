import { useEffect, useState } from 'react'
import { ALREADY_EXISTS, STATE_CHANGED, SUCCESS } from '../../../contract/codes.ts'
import { GROUP_CUSTOM } from '../../../contract/permissions.ts'
import { groupDescription, groupName, somePermission } from '../../../contract/rules/account.ts'
import type { RuleSet } from '../../../contract/rules/rules.ts'
import type { UserGroup } from '../../../contract/user.ts'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { link } from '../../paths.ts'
import { navigate } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PermissionEditor } from './permission-editor.tsx'
import { saveGroup } from './store.ts'
import { TEXT } from './text.ts'

interface Values {
  name: string
  desc: string
  permissions: number
}

const RULES: RuleSet<Values> = { name: groupName, desc: groupDescription, permissions: somePermission }

/** A group, or a new one. One that every hub has is only shown. */
export function GroupForm({ group }: { group?: UserGroup }) {
  const { name = '', desc = '', permission: permissions = 0, type = GROUP_CUSTOM } = group ?? {}
  const said = JSON.stringify({ name, desc, permissions } satisfies Values)
  /** What the form was filled with, or what was saved since. */
  const [base, setBase] = useState(said)
  const form = useForm<Values>(
    RULES,
    { name, desc, permissions },
    async (values) => {
      const reply = await saveGroup(group?.id, JSON.parse(base), values, form.takes)
      const { result, id } = reply
      // Saved, or somebody else was quicker: what is shown is the present state.
      if (result === SUCCESS || result === STATE_CHANGED) setBase(JSON.stringify(values))
      if (result === SUCCESS && !group) navigate(link('userGroup', { groupId: String(id) }), { replace: true })
      return reply
    },
    { codes: { [ALREADY_EXISTS]: 'name' } }
  )
  const changed = JSON.stringify(form.values) !== base
  // What the hub says now takes the place of what it said before, unless somebody is typing.
  useEffect(() => {
    if (changed || base === said) return
    setBase(said)
    form.set(JSON.parse(said))
  }, [said, base])
  const custom = type === GROUP_CUSTOM
  return (
    <form noValidate onSubmit={form.submit}>
      <Card title={name || t(TEXT.addGroup)}>
        {custom ? (
          <div className="fields">
            <TextField {...form.field('name')} label={t(TEXT.groupName)} />
            <TextField {...form.field('desc')} label={t(TEXT.desc)} />
          </div>
        ) : (
          <p className="muted">{t(TEXT.builtIn)}</p>
        )}
        <PermissionEditor {...form.field('permissions')} fixed={!custom} />
        {custom && <Button submit kind="main" label={t(TEXT.save)} busy={form.busy} />}
      </Card>
    </form>
  )
}
