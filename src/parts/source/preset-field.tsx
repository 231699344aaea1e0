// Presets of destinations in the form of a new output: those of public services, and those that the hub stores.
import { addPreset, deletePreset, type OutputPreset } from '../../../contract/stream/preset.ts'
import type { AddOutputRequest, Output } from '../../../contract/stream/source.ts'
import { SelectField } from '../../form/select-field.tsx'
import type { FieldBinding } from '../../form/use-form.ts'
import { sendMutation } from '../../state/mutations.ts'
import { $presets } from '../../state/sources.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { useStore } from '../../ui/use-store.ts'
import { CallButton } from '../actions.tsx'
import { OUTPUT_FORM } from './output-form.ts'
import { SERVICE_NAME } from './service-names.ts'
import type { SourceValues } from './source-form.ts'

const TEXT = {
  destination: ['Destination', '目标'],
  custom: ['Other', '其他'],
  findKey: ['Where is the stream key?', '在哪里查看推流密钥？'],
  savePreset: ['Save as preset', '另存为预设'],
  deletePreset: ['Delete preset', '删除预设']
} as const satisfies Record<string, Translation>

interface Service {
  name: string
  /** The ingest URL that the service documents for encoders. */
  url: string
  /** Page of the service that shows the key of the signed-in user. */
  keyPage: string
}

const SERVICES: Readonly<Record<string, Service>> = {
  youtube: {
    name: SERVICE_NAME.youtube,
    url: 'rtmps://a.rtmps.youtube.com/live2',
    keyPage: 'https://www.youtube.com/live_dashboard'
  },
  twitch: {
    name: SERVICE_NAME.twitch,
    url: 'rtmp://live.twitch.tv/app',
    keyPage: 'https://dashboard.twitch.tv/settings/stream'
  },
  facebook: {
    name: SERVICE_NAME.facebook,
    url: 'rtmps://live-api-s.facebook.com:443/rtmp',
    keyPage: 'https://www.facebook.com/live/producer'
  }
}

const valuesOfPreset = ({ protocol, config }: Pick<OutputPreset, 'protocol' | 'config'>): SourceValues => {
  const values = OUTPUT_FORM.valuesOf({ protocol, config } as unknown as Output)
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

interface PresetFieldProps {
  /** The key of a service, the ID of a stored preset, or empty. */
  binding: FieldBinding<string>
  /** Fills the form. */
  onChoose: (values: SourceValues) => void
}

export function PresetField({ binding, onChoose }: PresetFieldProps) {
  const presets = useStore($presets).items
  const service = SERVICES[binding.value]
  const own = presets.find(({ id }) => String(id) === binding.value)
  const choose = (preset: string) => {
    const chosenService = SERVICES[preset]
    const stored = presets.find(({ id }) => String(id) === preset)
    const values = chosenService ? { kind: 'rtmp', url: chosenService.url } : stored ? valuesOfPreset(stored) : {}
    onChoose({ ...values, preset })
  }
  return (
    <>
      <SelectField
        {...binding}
        label={t(TEXT.destination)}
        placeholder={t(TEXT.custom)}
        options={[
          ...Object.entries(SERVICES).map(([value, { name }]) => ({ value, label: name })),
          ...presets.map(({ id, name }) => ({ value: String(id), label: name }))
        ]}
        onValueChange={choose}
      />
      {service && (
        <div className="field">
          <a href={service.keyPage} target="_blank" rel="noopener noreferrer">
            {t(TEXT.findKey)}
          </a>
        </div>
      )}
      {own && (
        <CallButton
          call={deletePreset}
          icon="delete"
          label={t(TEXT.deletePreset)}
          onClick={async () => {
            const success = { text: OUTCOME.deleted, names: [own.name] }
            await sendMutation(deletePreset, { id: own.id }, { success })
            choose('')
          }}
        />
      )}
    </>
  )
}

/** Stores the settings of the form on the hub, without its secrets. */
export function SavePresetButton({ values }: { values: SourceValues }) {
  const save = () => {
    const { name, protocol, config } = OUTPUT_FORM.requestOf(values) as AddOutputRequest
    const fields = Object.entries(config).filter(([, value]) => !Array.isArray(value))
    const request = { name, protocol, config: Object.fromEntries(fields) as OutputPreset['config'] }
    return sendMutation(addPreset, request, { success: { text: OUTCOME.saved, names: [name] } })
  }
  return (
    <div className="row">
      <CallButton call={addPreset} icon="star" label={t(TEXT.savePreset)} onClick={save} />
    </div>
  )
}

/** Whether a form asks for the stream key alone, because the preset has the rest. */
export const needsKeyOnly = ({ preset, kind }: SourceValues): boolean => Boolean(preset) && kind === 'rtmp'
