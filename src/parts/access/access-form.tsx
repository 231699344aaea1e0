// Selects who sees objects: inherited, or selected user groups and users. A default cannot inherit.
import type { ReactNode } from 'react'
import { hasAnyBit } from '../../../contract/access/permissions.ts'
import { ALL_GROUPS, type ObjectSecurity, type Visibility } from '../../../contract/access/visibility.ts'
import { setDeviceSecurity, setGlobalDevice } from '../../../contract/device/device.ts'
import { setChannelSecurity, setGlobalChannel } from '../../../contract/stream/channel-security.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { send } from '../../link/send.ts'
import { setCatalogSecurity } from '../../state/catalogs.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { Card } from '../../ui/card.tsx'
import { runBulk } from '../bulk-action.ts'
import { SaveBar } from '../save-bar.tsx'
import { type AccessSubject, type Audiences, audienceText } from './audience.ts'

const TEXT = {
  inherit: ['Inherit', '继承'],
  inheritHint: ['{0}: {1}', '{0}：{1}'],
  inheritMixed: ['From the group of each device, or the default', '继承自各设备所在分组或默认设置'],
  mixed: [
    'Their access differs. What you save replaces it for all of them.',
    '当前设置不一致。保存后将应用到全部所选项。'
  ],
  everyone: ['Everyone, including new groups', '所有人（包括以后新增的用户组）'],
  groups: ['User groups', '用户组'],
  users: ['Users', '用户'],
  through: ['sees it through {0}', '已通过{0}可见'],
  nobody: ['Nobody is selected: only administrators will see it.', '未选择任何人：仅管理员可见。'],
  admins: ['Administrators always see everything.', '管理员始终可见全部内容。']
} as const satisfies Record<string, Translation>

/** The current setting of an object, and what it inherits if it can. */
interface AccessEntry {
  inherits: boolean
  /** Those that apply now, whether inherited or its own. */
  masks: Visibility
  inherited?: {
    masks: Visibility
    /** Such as 'Inherited from group Studio'. */
    source: string
  }
}

interface AccessFormProps {
  title: string
  subject: AccessSubject
  /** One for each object; one for a default. */
  entries: readonly AccessEntry[]
  audiences: Audiences
  /** Closes the dialog. Absent on a page, where a bar saves the form. */
  onClose?: (succeeded?: boolean) => void
}

const maskOf = (choices: readonly { id: number }[]) => choices.reduce((mask, { id }) => (mask | id) >>> 0, 0)

const areEqual = (values: readonly unknown[]) => new Set(values.map((value) => JSON.stringify(value))).size <= 1

/** Sets who sees objects: a dialog, or with `onClose` absent a card of a page. */
export function AccessForm({ title, subject, entries, audiences, onClose }: AccessFormProps) {
  const { masks: current } = entries[0] ?? { masks: { 'group-mask': 0, 'usr-mask': 0 } }
  // Without Inherit, the selection begins with the users and groups that have access to the first object now.
  const initial = {
    inherit: entries.every(({ inherits }) => inherits),
    groups: current['group-mask'],
    users: current['usr-mask']
  }
  const form = useForm({}, initial, async ({ inherit, groups, users }) => {
    // Clears the bits of deleted users and groups.
    const masks = {
      'group-mask': groups === ALL_GROUPS ? groups : (groups & maskOf(audiences.groups)) >>> 0,
      'usr-mask': (users & maskOf(audiences.users)) >>> 0
    }
    const isSaved = await saveAccess(subject, title, inherit ? undefined : masks)
    onClose?.(isSaved)
    return undefined
  })
  const fields = <AccessFields form={form} entries={entries} audiences={audiences} />
  if (!onClose)
    return (
      <form noValidate onSubmit={form.submit}>
        <Card title={title}>{fields}</Card>
        <SaveBar
          busy={form.busy}
          unsaved={areEqual([initial, form.values]) ? [] : [title]}
          onDiscard={() => form.setValues(initial)}
        />
      </form>
    )
  return (
    <FormDialog form={form} title={title} onClose={onClose}>
      {fields}
    </FormDialog>
  )
}

interface AccessValues {
  inherit: boolean
  /** Bits of the selected groups, or `ALL_GROUPS`. */
  groups: number
  /** Bits of the selected users. */
  users: number
}

interface AccessFieldsProps extends Pick<AccessFormProps, 'entries' | 'audiences'> {
  form: Form<AccessValues>
}

/** The fields of the form: inherit, everyone, user groups, users. */
function AccessFields({ form, entries, audiences }: AccessFieldsProps) {
  const inherited = entries[0]?.inherited
  const { inherit, groups, users } = form.values
  const isEveryone = groups === ALL_GROUPS

  const inheritHint = ({ source, masks }: NonNullable<AccessEntry['inherited']>) =>
    areEqual(entries.map((entry) => entry.inherited))
      ? t(TEXT.inheritHint, source, audienceText(masks, audiences))
      : t(TEXT.inheritMixed)
  const checkbox = (label: string, checked: boolean, toggle: () => void, note?: string) => (
    <div key={label} className="check row">
      <label>
        <input type="checkbox" checked={checked} onChange={toggle} />
        {label}
      </label>
      {note && <span className="muted">{note}</span>}
    </div>
  )
  const list = (legend: Translation, boxes: readonly ReactNode[]) =>
    boxes.length > 0 && (
      <fieldset className="field">
        <legend>{t(legend)}</legend>
        {boxes}
      </fieldset>
    )

  return (
    <>
      {!areEqual(entries.map(({ inherits, masks }) => [inherits, masks['group-mask'], masks['usr-mask']])) && (
        <p className="banner">{t(TEXT.mixed)}</p>
      )}
      {inherited && (
        <SwitchField
          {...form.field('inherit')}
          label={t(TEXT.inherit)}
          hint={inherit ? inheritHint(inherited) : undefined}
        />
      )}
      {!inherit && (
        <>
          <div className="field">
            {checkbox(t(TEXT.everyone), isEveryone, () => form.setValues({ groups: isEveryone ? 0 : ALL_GROUPS }))}
          </div>
          {!isEveryone &&
            list(
              TEXT.groups,
              audiences.groups.map(({ id, name }) =>
                checkbox(name, hasAnyBit(groups, id), () => form.setValues({ groups: (groups ^ id) >>> 0 }))
              )
            )}
          {!isEveryone &&
            list(
              TEXT.users,
              audiences.users.map(({ id, name, 'group-id': groupId, 'group-name': group }) =>
                checkbox(
                  name,
                  hasAnyBit(users, id),
                  () => form.setValues({ users: (users ^ id) >>> 0 }),
                  hasAnyBit(groups, groupId) ? t(TEXT.through, group) : group
                )
              )
            )}
          {groups || users ? <p className="muted">{t(TEXT.admins)}</p> : <p className="banner">{t(TEXT.nobody)}</p>}
        </>
      )}
    </>
  )
}

/**
 * Saves who sees the objects of a dialog.
 * @param title of the dialog: names a default in the message, and the progress of many devices
 * @param masks absent if the objects inherit; a default cannot inherit
 * @returns whether it was saved for all objects
 */
function saveAccess({ of, objects }: AccessSubject, title: string, masks?: Visibility): Promise<boolean> {
  if (!objects) {
    const success = { text: OUTCOME.saved, names: [title] }
    const setDefault = of === 'channel' ? setGlobalChannel : setGlobalDevice
    return succeeded(sendMutation(setDefault, { security: masks as Visibility }, { success }))
  }
  const security: ObjectSecurity = masks ? { 'is-inherit': 0, ...masks } : { 'is-inherit': 1 }
  if (of === 'device') {
    const devices = objects.map(({ sn = '', name }) => ({ sn, name }))
    const sendBatch = (sn: string[]) => send(setDeviceSecurity, { sn, security })
    return runBulk({ title, devices, outcome: OUTCOME.saved, sendBatch })
  }
  const success = { text: OUTCOME.saved, names: objects.map(({ name }) => name) }
  const ids = objects.map(({ id = 0 }) => id)
  return succeeded(
    of === 'channel'
      ? sendMutation(setChannelSecurity, { id: ids, security }, { success })
      : setCatalogSecurity(ids[0] ?? 0, security, success)
  )
}
