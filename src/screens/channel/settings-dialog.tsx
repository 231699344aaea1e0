// Settings of a channel other than its inputs and outputs. Read-only without the permission to edit channels.
import { NAME_EXISTS } from '../../../contract/codes.ts'
import { DISCONTINUITIES_MAX, SWITCH_AFTER, SWITCH_BACK } from '../../../contract/limits.ts'
import { lossPercent, numberRange } from '../../../contract/rules/number.ts'
import { channelName, optional, type RuleSet } from '../../../contract/rules/rules.ts'
import { scheduleRules } from '../../../contract/rules/schedule.ts'
import { type Channel, type ChannelConfig, setChannel } from '../../../contract/stream/channel.ts'
import type { Schedule } from '../../../contract/stream/schedule.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { NumberField, PasswordField, TextField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { healthBounds } from '../../other-hubs.ts'
import { FIELD_TEXT } from '../../parts/source/field-text.ts'
import { sendMutation } from '../../state/mutations.ts'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './dialog-text.ts'
import { ScheduleField } from './schedule-field.tsx'
import { channelSuccess } from './store.ts'
import * as CHANNEL_TEXT from './text.ts'

interface Values {
  name: string
  switchAfter: string
  /** Empty: never. */
  switchBack: string
  'switch-on-track-loss': boolean
  'hold-both': boolean
  slate: boolean
  schedule: Schedule
  loss: string
  discontinuities: string
  'push-key': string
  'play-key': string
  'replace-publisher': boolean
  rtmp: boolean
  srt: boolean
  'allow-ip': string
  ndi: boolean
}

/** The hub validates keys and addresses. */
const RULES: RuleSet<Values> = {
  name: channelName,
  switchAfter: numberRange(SWITCH_AFTER.min, SWITCH_AFTER.max),
  switchBack: optional(numberRange(SWITCH_BACK.min, SWITCH_BACK.max)),
  schedule: scheduleRules,
  loss: lossPercent,
  discontinuities: numberRange(0, DISCONTINUITIES_MAX)
}

export function SettingsDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { id, name, config } = channel
  const { switch: rule, slate, schedule, protocol, ndi: ndiConfig, ...options } = config as Required<ChannelConfig>
  const bounds = healthBounds(config)
  const mayEdit = useStore($isAllowed)(setChannel)
  const initial: Values = {
    name,
    switchAfter: String(rule['after-s']),
    switchBack: rule.back === 'first' ? String(rule['back-after-s']) : '',
    'switch-on-track-loss': options['switch-on-track-loss'],
    'hold-both': options['hold-both'],
    slate,
    schedule,
    loss: String(bounds['loss-percent']),
    discontinuities: String(bounds.discontinuities),
    'push-key': options['push-key'],
    'play-key': options['play-key'],
    'replace-publisher': options['replace-publisher'],
    ...protocol,
    'allow-ip': options['allow-ip'].join(', '),
    ndi: ndiConfig.enable
  }
  const form: Form<Values> = useForm(
    RULES,
    initial,
    ({ name, switchAfter, switchBack, rtmp, srt, ndi, 'allow-ip': allowedText, loss, discontinuities, ...values }) =>
      sendMutation(
        setChannel,
        {
          id,
          name,
          config: {
            ...values,
            switch: {
              'after-s': Number(switchAfter),
              back: switchBack ? 'first' : 'never',
              'back-after-s': Number(switchBack) || rule['back-after-s']
            },
            health: { 'loss-percent': Number(loss), discontinuities: Number(discontinuities) },
            ndi: { ...ndiConfig, enable: ndi },
            protocol: { rtmp, srt },
            'allow-ip': allowedText.split(/[\s,]+/).filter(Boolean)
          }
        },
        { isShownElsewhere: form.showsError, success: channelSuccess(OUTCOME.saved, [{ id, name }]) }
      ),
    { fieldOfCode: { [NAME_EXISTS]: 'name' }, onSuccess: onClose }
  )
  const { field } = form
  return (
    <FormDialog
      form={form}
      title={t(CHANNEL_TEXT.of, t(CHANNEL_TEXT.settings), name)}
      readOnly={!mayEdit}
      onClose={onClose}
    >
      <TextField {...field('name')} label={t(CHANNEL_TEXT.name)} />
      <div className="fields">
        <NumberField {...field('switchAfter')} label={t(TEXT.after)} />
        <NumberField {...field('switchBack')} label={t(TEXT.back)} hint={t(TEXT.backHint)} />
      </div>
      <SwitchField {...field('switch-on-track-loss')} label={t(TEXT.trackLoss)} />
      <SwitchField {...field('hold-both')} label={t(TEXT.holdBoth)} hint={t(TEXT.holdBothHint)} />
      <SwitchField {...field('slate')} label={t(TEXT.slate)} />
      <div className="fields">
        <TextField {...field('loss')} label={t(TEXT.lossBound)} />
        <NumberField {...field('discontinuities')} label={t(TEXT.discontinuityBound)} />
      </div>
      <ScheduleField {...field('schedule')} />
      {mayEdit && <PasswordField {...field('push-key')} label={t(TEXT.pushKey)} />}
      {mayEdit && <PasswordField {...field('play-key')} label={t(TEXT.playKey)} />}
      <SwitchField {...field('replace-publisher')} label={t(TEXT.replacePublisher)} />
      <SwitchField {...field('rtmp')} label={t(CHANNEL_TEXT.of, t(TEXT.play), 'RTMP')} />
      <SwitchField {...field('srt')} label={t(CHANNEL_TEXT.of, t(TEXT.play), 'SRT')} />
      <SwitchField {...field('ndi')} label={t(TEXT.ndi)} />
      <TextField {...field('allow-ip')} label={t(FIELD_TEXT.allowed)} hint={t(FIELD_TEXT.allowedHint)} />
    </FormDialog>
  )
}
