// Settings of a channel other than its inputs, outputs and schedule. Read-only without the permission to edit channels.
import { NAME_EXISTS } from '../../../contract/codes.ts'
import { DISCONTINUITIES_MAX, SWITCH_AFTER, SWITCH_BACK } from '../../../contract/limits.ts'
import { lossPercent, numberRange } from '../../../contract/rules/number.ts'
import { channelName, optional, type RuleSet } from '../../../contract/rules/rules.ts'
import { type Channel, type ChannelConfig, setChannel } from '../../../contract/stream/channel.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { NumberField, PasswordField, TextField } from '../../form/text-field.tsx'
import { type Form, useForm } from '../../form/use-form.ts'
import { healthBounds } from '../../other-hubs.ts'
import { isOnAir } from '../../parts/channel/channel-state.ts'
import { SaveBar, useUnsaved } from '../../parts/save-bar.tsx'
import { READ_ONLY } from '../../parts/settings/settings-form.tsx'
import { FIELD_TEXT } from '../../parts/source/field-text.ts'
import { $isAllowed } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './dialog-text.ts'
import { $channel, saveConfig } from './store.ts'
import * as CHANNEL_TEXT from './text.ts'

interface Values {
  name: string
  switchAfter: string
  /** Empty: never. */
  switchBack: string
  'switch-on-track-loss': boolean
  'hold-both': boolean
  slate: boolean
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

const LABELS: Readonly<Record<keyof Values, () => string>> = {
  name: () => t(CHANNEL_TEXT.name),
  switchAfter: () => t(TEXT.after),
  switchBack: () => t(TEXT.back),
  'switch-on-track-loss': () => t(TEXT.trackLoss),
  'hold-both': () => t(TEXT.holdBoth),
  slate: () => t(TEXT.slate),
  loss: () => t(TEXT.lossBound),
  discontinuities: () => t(TEXT.discontinuityBound),
  'push-key': () => t(TEXT.pushKey),
  'play-key': () => t(TEXT.playKey),
  'replace-publisher': () => t(TEXT.replacePublisher),
  rtmp: () => t(CHANNEL_TEXT.of, t(TEXT.play), 'RTMP'),
  srt: () => t(CHANNEL_TEXT.of, t(TEXT.play), 'SRT'),
  'allow-ip': () => t(FIELD_TEXT.allowed),
  ndi: () => t(TEXT.ndi)
}

/** The hub validates keys and addresses. */
const RULES: RuleSet<Values> = {
  name: channelName,
  switchAfter: numberRange(SWITCH_AFTER.min, SWITCH_AFTER.max),
  switchBack: optional(numberRange(SWITCH_BACK.min, SWITCH_BACK.max)),
  loss: lossPercent,
  discontinuities: numberRange(0, DISCONTINUITIES_MAX)
}

function valuesOf({ name, config }: Channel): Values {
  const { switch: rule, slate, protocol, ndi, ...options } = config as Required<ChannelConfig>
  const bounds = healthBounds(config)
  return {
    name,
    switchAfter: String(rule['after-s']),
    switchBack: rule.back === 'first' ? String(rule['back-after-s']) : '',
    'switch-on-track-loss': options['switch-on-track-loss'],
    'hold-both': options['hold-both'],
    slate,
    loss: String(bounds['loss-percent']),
    discontinuities: String(bounds.discontinuities),
    'push-key': options['push-key'],
    'play-key': options['play-key'],
    'replace-publisher': options['replace-publisher'],
    ...protocol,
    'allow-ip': options['allow-ip'].join(', '),
    ndi: ndi.enable
  }
}

/** The settings that these values change. */
function changedConfig(config: ChannelConfig, changed: Partial<Values>, values: Values): ChannelConfig {
  const {
    name: _,
    switchAfter,
    switchBack,
    rtmp,
    srt,
    ndi,
    'allow-ip': allowed,
    loss,
    discontinuities,
    ...same
  } = changed
  const isChanged = (...texts: readonly unknown[]) => texts.some((text) => text !== undefined)
  return {
    ...same,
    ...(isChanged(switchAfter, switchBack) && {
      switch: {
        'after-s': Number(values.switchAfter),
        back: values.switchBack ? 'first' : 'never',
        'back-after-s': Number(values.switchBack) || config.switch?.['back-after-s']
      }
    }),
    ...(isChanged(loss, discontinuities) && {
      health: { 'loss-percent': Number(values.loss), discontinuities: Number(values.discontinuities) }
    }),
    ...(ndi !== undefined && { ndi: { ...config.ndi, enable: ndi } }),
    ...(isChanged(rtmp, srt) && { protocol: { rtmp: values.rtmp, srt: values.srt } }),
    ...(allowed !== undefined && { 'allow-ip': allowed.split(/[\s,]+/).filter(Boolean) })
  } as ChannelConfig
}

export function SettingsTab({ channel }: { channel: Channel }) {
  const { config } = channel
  const mayEdit = useStore($isAllowed)(setChannel)
  const saved = valuesOf(channel)
  const form: Form<Values> = useForm(
    RULES,
    saved,
    (values) => {
      const changed = Object.fromEntries(unsaved.map((field) => [field, values[field]]))
      return saveConfig(channel, changedConfig(config, changed, values), {
        newName: values.name,
        isShownElsewhere: form.showsError,
        onUndo: () => form.setValues(saved)
      })
    },
    {
      fieldOfCode: { [NAME_EXISTS]: 'name' },
      // As the hub has stored it: a key that was cleared is a new one.
      onSuccess() {
        const stored = $channel.get().value?.channel
        if (stored) form.setValues(valuesOf(stored))
      }
    }
  )
  const unsaved = useUnsaved(form, saved)
  const field = <Field extends keyof Values>(fieldName: Field) => ({
    ...form.field(fieldName),
    label: LABELS[fieldName]()
  })
  // Of a channel on air, the hints about what an interruption is stand out.
  const interrupting = isOnAir(channel) ? 'interrupting' : undefined
  return (
    <form noValidate onSubmit={form.submit}>
      {!mayEdit && <p className="muted">{t(READ_ONLY)}</p>}
      <fieldset className="field cards" disabled={!mayEdit}>
        <Card title={t(TEXT.general)}>
          <div className={saved.ndi ? interrupting : undefined}>
            <TextField {...field('name')} hint={saved.ndi ? t(TEXT.nameInterrupts) : undefined} />
          </div>
          <div className={interrupting}>
            <SwitchField {...field('ndi')} hint={t(TEXT.ndiInterrupts)} />
          </div>
        </Card>
        <Card title={t(TEXT.failover)}>
          <div className="fields">
            <NumberField {...field('switchAfter')} />
            <NumberField {...field('switchBack')} hint={t(TEXT.backHint)} />
          </div>
          <SwitchField {...field('switch-on-track-loss')} />
          <SwitchField {...field('hold-both')} hint={t(TEXT.holdBothHint)} />
          <div className={interrupting}>
            <SwitchField {...field('slate')} hint={t(TEXT.slateInterrupts)} />
          </div>
        </Card>
        <Card title={t(TEXT.keysTitle)}>
          <div className={interrupting}>
            {mayEdit && <PasswordField {...field('push-key')} hint={t(TEXT.pushInterrupts)} />}
            {mayEdit && <PasswordField {...field('play-key')} hint={t(TEXT.playInterrupts)} />}
            <SwitchField {...field('rtmp')} hint={t(TEXT.offInterrupts)} />
            <SwitchField {...field('srt')} hint={t(TEXT.offInterrupts)} />
            <TextField {...field('allow-ip')} hint={`${t(FIELD_TEXT.allowedHint)} ${t(TEXT.allowedInterrupts)}`} />
          </div>
          <SwitchField {...field('replace-publisher')} />
        </Card>
        <Card title={t(TEXT.bounds)}>
          <TextField {...field('loss')} />
          <NumberField {...field('discontinuities')} />
        </Card>
      </fieldset>
      <SaveBar
        busy={form.busy}
        unsaved={unsaved.map((changed) => LABELS[changed]())}
        onDiscard={() => form.setValues(saved)}
      />
    </form>
  )
}
