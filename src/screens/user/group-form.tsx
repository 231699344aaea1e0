import { useEffect, useState } from 'react'
import { groupDescription, groupName, somePermission } from '../../../contract/account-rules.ts'
import type { Envelope } from '../../../contract/call.ts'
import { ALREADY_EXISTS, STATE_CHANGED, SUCCESS } from '../../../contract/codes.ts'
import type { RuleSet } from '../../../contract/rules.ts'
import type { UserGroup } from '../../../contract/user.ts'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { useUnsaved } from '../../parts/unsaved.ts'
import { link } from '../../paths.ts'
import { navigate } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PermissionEditor } from './permission-editor.tsx'
import { changeGroup, createGroup } from './store.ts'
import { TEXT } from './text.ts'

interface Values {
  name: string
  desc: string
  permissions: number
}

const RULES: RuleSet<Values> = { name: groupName, desc: groupDescription, permissions: somePermission }

const valuesOf = (group?: UserGroup): Values => ({
  name: group?.name ?? '',
  desc: group?.desc ?? '',
  permissions: group?.permission ?? 0
})

/** A custom group, or a new one. */
export function GroupForm({ group }: { group?: UserGroup }) {
  const said = JSON.stringify(valuesOf(group))
  /** What the hub said when the form was filled with it. */
  const [base, setBase] = useState(said)
  const form = useForm<Values>(
    RULES,
    valuesOf(group),
    async (values): Promise<Envelope> => {
      if (group) {
        const reply = await changeGroup(group.id, JSON.parse(base || said), values, form.takes)
        // Somebody else was quicker: what is shown is the present state.
        if (reply.result === STATE_CHANGED) setBase('')
        return reply
      }
      const reply = await createGroup(values, form.takes)
      if (reply.result === SUCCESS) navigate(link('userGroup', { groupId: String(reply.id) }), { replace: true })
      return reply
    },
    { codes: { [ALREADY_EXISTS]: 'name' }, done: () => setBase('') }
  )
  const changed = base !== '' && JSON.stringify(form.values) !== base
  // What the hub says now takes the place of what it said before, unless somebody is typing.
  useEffect(() => {
    if (changed || base === said) return
    setBase(said)
    form.set(JSON.parse(said) as Values)
  }, [said, base])
  useUnsaved(changed)
  return (
    <form noValidate onSubmit={form.submit}>
      <Card title={group?.name ?? t(TEXT.addGroup)}>
        <div className="fields">
          <TextField {...form.field('name')} label={t(TEXT.groupName)} />
          <TextField {...form.field('desc')} label={t(TEXT.desc)} />
        </div>
        <PermissionEditor {...form.field('permissions')} />
        <Button submit kind="main" label={t(TEXT.save)} busy={form.busy} />
      </Card>
    </form>
  )
}
