// Who sees objects, in a dialog or on the page of an object. Waits for the inherited access, and for the users and user
// groups to select from.
import type { ReactNode } from 'react'
import { type EffectiveVisibility, inheritedVisibility, type Visibility } from '../../../contract/access/visibility.ts'
import { $catalogs } from '../../state/catalogs.ts'
import { $tags } from '../../state/tags.ts'
import { $users } from '../../state/users.ts'
import { type Translation, t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useStore } from '../../ui/use-store.ts'
import { usePlaceholder } from '../load-state.tsx'
import { AccessForm } from './access-form.tsx'
import {
  $channelDefault,
  $deviceDefault,
  type AccessSubject,
  guestMask,
  listedAudiences,
  sourceText
} from './audience.ts'
import * as ACCESS_TEXT from './text.ts'

const TEXT = {
  byTag: ['Access by tag {0}', '标签 {0} 的可见范围'],
  accessTo: ['Access to {0}', '{0}的可见范围'],
  channelDefault: ['Default access to channels', '频道默认可见范围'],
  devices: ['{0} devices', '{0} 台设备'],
  channels: ['{0} channels', '{0} 个频道']
} as const satisfies Record<string, Translation>

const NO_MASKS: Visibility = { 'group-mask': 0, 'usr-mask': 0 }

/** 'Access to News', 'Access to 3 channels', or 'Default access to channels'. */
function titleOf({ of, objects }: AccessSubject): string {
  const isChannel = of === 'channel'
  if (!objects) return t(isChannel ? TEXT.channelDefault : ACCESS_TEXT.deviceDefault)
  const [first, ...others] = objects
  const count = t(isChannel ? TEXT.channels : TEXT.devices, objects.length)
  return t(of === 'tag' ? TEXT.byTag : TEXT.accessTo, first && others.length === 0 ? first.name : count)
}

interface AccessEditorProps {
  subject: AccessSubject
  /** Absent on a page. */
  onClose?: (succeeded?: boolean) => void
  /** A button in the header of the card on a page. */
  action?: ReactNode
}

export const AccessDialog = (props: Required<Omit<AccessEditorProps, 'action'>>) => <AccessEditor {...props} />

export function AccessEditor({ subject, onClose, action }: AccessEditorProps) {
  const $default = subject.of === 'channel' ? $channelDefault : $deviceDefault
  const defaultMasks = useStore($default).value?.security
  const { items: catalogs, phase } = useStore($catalogs)
  const users = useStore($users).value
  const { items: tags } = useStore($tags)
  const defaultPlaceholder = usePlaceholder($default, !defaultMasks, null)
  const catalogPlaceholder = usePlaceholder($catalogs, phase !== 'ready', null)
  const userPlaceholder = usePlaceholder($users, !users, null)
  const title = titleOf(subject)
  if (!defaultMasks || !users || phase !== 'ready') {
    const placeholder = defaultPlaceholder ?? catalogPlaceholder ?? userPlaceholder
    if (!onClose) return <Card title={title}>{placeholder}</Card>
    return (
      <Dialog title={title} onClose={() => onClose()}>
        {placeholder}
      </Dialog>
    )
  }
  const groups = new Map(catalogs.map((catalog) => [catalog.id, { ...NO_MASKS, ...catalog }]))
  const describeSource = ({ from, catalog = 0 }: EffectiveVisibility) => sourceText(from, groups.get(catalog)?.name)
  const guests = guestMask(users)
  const opening = tags.filter(
    (tag) => tag['gives-access'] && subject.objects?.some((object) => object.tags?.includes(tag.id))
  )
  const entries = subject.objects?.map((object) => {
    const { 'catalog-id': group = object['parent-id'] ?? 0, 'is-inherit': inherits = 0 } = object
    const inherited = inheritedVisibility(groups, group, defaultMasks)
    const own: Visibility = { ...NO_MASKS, ...object }
    const { 'group-mask': groupMask, 'usr-mask': userMask } = inherited.masks
    // The bits of guests are those of the object, also while it inherits.
    const masks = inherits
      ? { 'group-mask': groupMask, 'usr-mask': ((userMask & ~guests) | (own['usr-mask'] & guests)) >>> 0 }
      : own
    return {
      inherits: Boolean(inherits),
      masks,
      inherited: subject.of === 'tag' ? undefined : { masks: inherited.masks, source: describeSource(inherited) }
    }
  })
  return (
    <AccessForm
      // On a page, a change by another user replaces what is selected.
      key={onClose ? '' : JSON.stringify(entries)}
      title={title}
      subject={subject}
      entries={entries ?? [{ inherits: false, masks: defaultMasks }]}
      audiences={listedAudiences(users)}
      tags={opening}
      action={action}
      onClose={onClose}
    />
  )
}
