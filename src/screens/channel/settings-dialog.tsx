// What a channel is set to besides its input and outputs. Who may not change it sees it all the same.

import { NAME_EXISTS } from '../../../contract/codes.ts'
import { SWITCH_AFTER, SWITCH_BACK } from '../../../contract/limits.ts'
import { numberRange } from '../../../contract/rules/number.ts'
import { optional, type RuleSet, streamName } from '../../../contract/rules/rules.ts'
import { scheduleRules } from '../../../contract/rules/schedule.ts'
import { type Channel, type ChannelConfig, setChannel } from '../../../contract/stream/channel.ts'
import type { Schedule } from '../../../contract/stream/schedule.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { NumberField } from '../../form/number-field.tsx'
import { PasswordField } from '../../form/password-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { $may } from '../../state/session.ts'
import { change } from '../../state/toasts.ts'
import { t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'
import { TimesField } from './times-field.tsx'

interface Values {
  name: string
  after: string
  /** Empty: never. */
  back: string
  slate: boolean
  schedule: Schedule
  'push-key': string
  'play-key': string
  rtmp: boolean
  srt: boolean
  'allow-ip': string
  ndi: boolean
}

/** Keys and addresses are for the hub to judge. */
const RULES: RuleSet<Values> = {
  name: streamName,
  after: numberRange(SWITCH_AFTER.min, SWITCH_AFTER.max),
  back: optional(numberRange(SWITCH_BACK.min, SWITCH_BACK.max)),
  schedule: scheduleRules
}

export function SettingsDialog({ channel: { id, name, config }, onClose }: { channel: Channel; onClose: () => void }) {
  const { switch: rule, slate, schedule, protocol, ndi: own, ...others } = config as Required<ChannelConfig>
  const may = useStore($may)(setChannel)
  const first: Values = {
    name,
    after: String(rule['after-s']),
    back: rule.back === 'first' ? String(rule['back-after-s']) : '',
    slate,
    schedule,
    'push-key': others['push-key'],
    'play-key': others['play-key'],
    ...protocol,
    'allow-ip': others['allow-ip'].join(', '),
    ndi: own.enable
  }
  const form: Form<Values> = useForm(
    RULES,
    first,
    ({ name, after, back, rtmp, srt, ndi, 'allow-ip': allowed, ...values }) =>
      change(
        setChannel,
        {
          id,
          name,
          config: {
            ...values,
            switch: {
              'after-s': Number(after),
              back: back ? 'first' : 'never',
              'back-after-s': Number(back) || rule['back-after-s']
            },
            ndi: { ...own, enable: ndi },
            protocol: { rtmp, srt },
            'allow-ip': allowed.split(/[\s,]+/).filter(Boolean)
          }
        },
        { quiet: form.takes }
      ),
    { codes: { [NAME_EXISTS]: 'name' }, done: onClose }
  )
  const { field } = form
  return (
    <FormDialog form={form} title={t(TEXT.of, t(TEXT.settings), name)} locked={!may} onClose={onClose}>
      <TextField {...field('name')} label={t(TEXT.name)} />
      <div className="fields">
        <NumberField {...field('after')} label={t(TEXT.after)} />
        <NumberField {...field('back')} label={t(TEXT.back)} hint={t(TEXT.optional)} />
      </div>
      <SwitchField {...field('slate')} label={t(TEXT.slate)} />
      <TimesField {...field('schedule')} />
      {may && <PasswordField {...field('push-key')} label={t(TEXT.of, t(TEXT.push), t(TEXT.key))} />}
      {may && <PasswordField {...field('play-key')} label={t(TEXT.of, t(TEXT.play), t(TEXT.key))} />}
      <SwitchField {...field('rtmp')} label={t(TEXT.of, t(TEXT.play), 'RTMP')} />
      <SwitchField {...field('srt')} label={t(TEXT.of, t(TEXT.play), 'SRT')} />
      <SwitchField {...field('ndi')} label={t(TEXT.ndi)} />
      <TextField {...field('allow-ip')} label={t(TEXT.allowed)} hint={t(TEXT.allowedHint)} />
    </FormDialog>
  )
}
