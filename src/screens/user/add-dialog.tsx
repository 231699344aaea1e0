import { GROUP_VIEWER } from '../../../contract/access/permissions.ts'
import { ALREADY_EXISTS } from '../../../contract/codes.ts'
import { nickName, userName } from '../../../contract/rules/account.ts'
import type { RuleSet } from '../../../contract/rules/rules.ts'
import { setChannelSecurity } from '../../../contract/stream/channel-security.ts'
import { DateField } from '../../form/date-field.tsx'
import { dayOf, endOfDay, futureDay } from '../../form/day.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { type FieldBinding, useForm } from '../../form/use-form.ts'
import { NewPassword, type NewPasswordValues, newPasswordRules } from '../../parts/password/new-password.tsx'
import { $channels } from '../../state/channels.ts'
import { isMissing } from '../../state/other-hub.ts'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { hubNow } from '../../ui/clock.ts'
import { useStore } from '../../ui/use-store.ts'
import { GroupField } from './group-field.tsx'
import { createUser } from './store.ts'
import { TEXT } from './text.ts'

interface Values extends NewPasswordValues {
  name: string
  nick: string
  /** Group ID as text. */
  group: string
  guest: boolean
  /** Last day; '' = no end. */
  day: string
  /** IDs of the channels that a guest sees. */
  channels: readonly number[]
}

/** Days that a guest has by default. */
const GUEST_DAYS = 7

const RULES: RuleSet<Values> = {
  name: userName,
  nick: nickName,
  day: futureDay,
  ...newPasswordRules<Values>(({ name }) => name)
}

/** @param channel of which a guest is added */
export function AddDialog({ channel, onClose }: { channel?: number; onClose: () => void }) {
  const mayOpenChannels = useStore($isAllowed)(setChannelSecurity)
  const form = useForm<Values>(
    RULES,
    {
      name: '',
      nick: '',
      group: String(GROUP_VIEWER),
      guest: channel !== undefined,
      day: channel === undefined ? '' : dayOf(hubNow() + GUEST_DAYS * 86_400_000),
      channels: channel === undefined ? [] : [channel],
      next: '',
      repeated: ''
    },
    ({ name, nick, group, next, guest, day, channels }, options) => {
      const access = guest && { guest, channels: [...channels] }
      const end = day && { expires: endOfDay(day) }
      return createUser({ name, nick, password: next, group: Number(group), ...access, ...end }, options)
    },
    {
      fieldOfWireName: { password: 'next', 'group-id': 'group', expires: 'day' },
      fieldOfCode: { [ALREADY_EXISTS]: 'name' },
      onSuccess: onClose
    }
  )
  return (
    <FormDialog form={form} submitLabel={t(TEXT.add)} onClose={onClose}>
      <div className="fields">
        <TextField {...form.field('name')} label={t(TEXT.name)} autoFocus />
        <TextField {...form.field('nick')} label={t(TEXT.nick)} hint={t(TEXT.nickHint)} />
      </div>
      <GroupField {...form.field('group')} />
      {!isMissing(setChannelSecurity.path) && (
        <SwitchField {...form.field('guest')} label={t(TEXT.guest)} hint={t(TEXT.guestHint)} />
      )}
      {form.values.guest && mayOpenChannels && <ChannelsField {...form.field('channels')} />}
      <DateField {...form.field('day')} label={t(TEXT.lastDay)} hint={t(TEXT.lastDayHint)} />
      <NewPassword next={form.field('next')} repeated={form.field('repeated')} isFirst />
    </FormDialog>
  )
}

/** Checkboxes for the channels that a guest sees. */
function ChannelsField({ value, onValueChange }: FieldBinding<readonly number[]>) {
  const { items } = useStore($channels)
  return (
    <fieldset className="field">
      <legend>{t(TEXT.channels)}</legend>
      <div className="scroll">
        {items.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={value.includes(id)}
            onCheckedChange={(isChecked) =>
              onValueChange(isChecked ? [...value, id] : value.filter((other) => other !== id))
            }
          />
        ))}
      </div>
    </fieldset>
  )
}
