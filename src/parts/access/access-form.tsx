// Selects who sees objects: inherited, or selected user groups and users. A default cannot inherit.

import type { ReactNode } from 'react'
import { hasAnyBit } from '../../../contract/access/permissions.ts'
import type { User } from '../../../contract/access/user.ts'
import { ALL_GROUPS, type Visibility } from '../../../contract/access/visibility.ts'
import type { Tag } from '../../../contract/tag.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { fullDate } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { PREVIEW } from '../preview-text.ts'
import { SaveBar } from '../save-bar.tsx'
import { type AccessSubject, type Audiences, audienceText, guestMask } from './audience.ts'
import { saveAccess } from './save-access.ts'

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
  guests: ['Guests', '访客'],
  until: ['until {0}', '至 {0}'],
  byTag: ['By tag {0}: {1}', '通过标签 {0}：{1}'],
  noAccess: ['Nobody is selected: the tag gives no access.', '未选择任何人：该标签不授予访问权限。'],
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
  /** Tags of the objects that give access, too. */
  tags: readonly Tag[]
  /** A button in the header of the card on a page. */
  action?: ReactNode
  /** Closes the dialog. Absent on a page, where a bar saves the form. */
  onClose?: (succeeded?: boolean) => void
}

const maskOf = (choices: readonly { id: number }[]) => choices.reduce((mask, { id }) => (mask | id) >>> 0, 0)

const areEqual = (values: readonly unknown[]) => new Set(values.map((value) => JSON.stringify(value))).size <= 1

/** Sets who sees objects: a dialog, or with `onClose` absent a card of a page. */
export function AccessForm({ title, subject, entries, audiences, tags, action, onClose }: AccessFormProps) {
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
    const guests = guestMask(audiences)
    const stored = { ...masks, 'usr-mask': (masks['usr-mask'] & guests) >>> 0 }
    const security = inherit
      ? { 'is-inherit': 1 as const, ...(guests && stored) }
      : { 'is-inherit': 0 as const, ...masks }
    const isSaved = await saveAccess(subject, title, security, { previous: current, masks })
    onClose?.(isSaved)
    return undefined
  })
  const fields = <AccessFields form={form} of={subject.of} entries={entries} audiences={audiences} tags={tags} />
  if (!onClose)
    return (
      <form noValidate onSubmit={form.submit}>
        <Card title={title} action={action}>
          {fields}
        </Card>
        <SaveBar
          busy={form.busy}
          unsaved={areEqual([initial, form.values]) ? [] : [title]}
          onDiscard={() => form.setValues(initial)}
        />
      </form>
    )
  return (
    <FormDialog form={form} title={title} submitLabel={subject.onSelect && t(PREVIEW)} onClose={onClose}>
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

interface AccessFieldsProps extends Pick<AccessFormProps, 'entries' | 'audiences' | 'tags'>, Pick<AccessSubject, 'of'> {
  form: Form<AccessValues>
}

/** The fields of the form: inherit, everyone, user groups, users. */
function AccessFields({ form, of, entries, audiences, tags }: AccessFieldsProps) {
  const inherited = entries[0]?.inherited
  const { inherit, groups, users } = form.values
  const isEveryone = groups === ALL_GROUPS

  const inheritHint = ({ source, masks }: NonNullable<AccessEntry['inherited']>) =>
    areEqual(entries.map((entry) => entry.inherited))
      ? t(TEXT.inheritHint, source, audienceText(masks, audiences))
      : t(TEXT.inheritMixed)
  const checkbox = (label: string, checked: boolean, toggle: () => void, note?: string) => (
    <Checkbox key={label} label={label} checked={checked} onCheckedChange={toggle}>
      {note && <span className="muted">{note}</span>}
    </Checkbox>
  )
  const userBox = ({ id, name }: User, note?: string | 0) =>
    checkbox(name, hasAnyBit(users, id), () => form.setValues({ users: (users ^ id) >>> 0 }), note || undefined)
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
              audiences.users
                .filter(({ guest }) => !guest)
                .map((user) => {
                  const group = user['group-name']
                  return userBox(user, hasAnyBit(groups, user['group-id']) ? t(TEXT.through, group) : group)
                })
            )}
        </>
      )}
      {list(
        TEXT.guests,
        audiences.users
          .filter(({ guest }) => guest)
          .map((user) => userBox(user, user.expires && t(TEXT.until, fullDate(user.expires))))
      )}
      {tags.map(({ id, name, ...masks }) => (
        <p key={id}>{t(TEXT.byTag, name, audienceText({ 'group-mask': 0, 'usr-mask': 0, ...masks }, audiences))}</p>
      ))}
      {!inherit &&
        (groups || users || tags.length > 0 ? (
          <p className="muted">{t(TEXT.admins)}</p>
        ) : (
          <p className="banner">{t(of === 'tag' ? TEXT.noAccess : TEXT.nobody)}</p>
        ))}
    </>
  )
}
